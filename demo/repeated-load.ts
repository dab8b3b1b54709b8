import { AppError } from "../server/errors.ts";

const attempts = 10;

/** Retries rejected uploads, because an upload can exceed the time limit on a busy machine. */
export async function retryUpload<T>(upload: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await upload();
    } catch (error) {
      if (!(error instanceof AppError) || attempt === attempts) throw error;
    }
  }
}

/** Returns a `catch` handler that ignores errors with `code`, which a repeated load causes. */
export function unless(code: AppError["code"]) {
  return (error: unknown): undefined => {
    if (!(error instanceof AppError && error.code === code)) throw error;
  };
}
