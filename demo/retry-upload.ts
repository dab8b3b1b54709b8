import { AppError } from "../server/errors.ts";

const attempts = 10;

/** Retries an upload that the shop rejects: on a busy machine, it can exceed the time limit. */
export async function retryUpload<T>(upload: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await upload();
    } catch (error) {
      if (!(error instanceof AppError) || attempt === attempts) throw error;
    }
  }
}
