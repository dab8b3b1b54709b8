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

/** Returns a handler for `catch`. It ignores this error code, a sign of an earlier load. */
export function unless(code: AppError["code"]) {
  return (error: unknown): undefined => {
    if (!(error instanceof AppError && error.code === code)) throw error;
  };
}
