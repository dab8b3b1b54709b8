import { AppError } from "../../errors.ts";

/** Begins the names of private photos: a folder on disk, a prefix in S3. */
export const privateFolder = "private/";

export function isPrivate(name: string): boolean {
  return name.startsWith(privateFolder);
}

/** A store of files that never change once written. All throw `UNAVAILABLE` while it can't be reached. */
export type ImageStore = {
  /**
   * Stores the bytes under a name of letters, digits, `-` and `.`; storing them again changes nothing. Nobody but
   * this store's owner can read those whose names begin with `privateFolder`.
   */
  put(name: string, bytes: Buffer): Promise<void>;
  /** The stored bytes; undefined if there are none. Throws `DamagedFile` if they are not what was stored. */
  read(name: string): Promise<Buffer | undefined>;
  /** Deletes a file, if it exists. */
  delete(name: string): Promise<void>;
};

/** What the store holds under a name is not what was stored there. */
export class DamagedFile extends AppError {
  constructor() {
    super("UNAVAILABLE", "This photo is damaged in our storage, so we can't show it.");
  }
}
