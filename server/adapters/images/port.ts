import { AppError } from "../../errors.ts";

/** The prefix of private photos' names: a folder on disk, a key prefix in S3. */
export const privateFolder = "private/";

export function isPrivate(name: string): boolean {
  return name.startsWith(privateFolder);
}

/**
 * A store of files that never change once written. All methods throw `UNAVAILABLE` while the store
 * can't be reached.
 */
export type ImageStore = {
  /**
   * Stores bytes under a name of letters, digits, `-` and `.`. Storing the same bytes again changes
   * nothing. Only the store's owner can read files whose names begin with `privateFolder`.
   */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Reads a file; undefined if it doesn't exist. Throws `DamagedFile` if the bytes changed. */
  read(name: string): Promise<Buffer | undefined>;
  /** Deletes a file, if it exists. */
  delete(name: string): Promise<void>;
};

/** The store returned bytes that differ from those stored under the name. */
export class DamagedFile extends AppError {
  constructor() {
    super("UNAVAILABLE", "This photo is damaged in our storage, so we can't show it.");
  }
}
