import { AppError } from "../server/errors.ts";

const attempts = 10;

/** Tries an upload again that is refused: on a busy machine a photo may take longer than visitors' may. */
export async function retryUpload<T>(upload: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await upload();
    } catch (error) {
      if (!(error instanceof AppError) || attempt === attempts) throw error;
    }
  }
}
