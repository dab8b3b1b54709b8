import { AppError } from "../../errors.ts";

/** Name prefix of photos that only this server may read: a folder, or a key prefix in S3. */
export const privateFolder = "private/";

export function isPrivate(name: string): boolean {
  return name.startsWith(privateFolder);
}

/** Files never change once written. With S3, methods throw `UNAVAILABLE` if the storage fails. */
export type ImageStore = {
  /** Idempotent. Names have letters, digits, `-` and `.`, and may start with `privateFolder`. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Undefined if the file doesn't exist. From S3, throws `DamagedFile` if the bytes changed. */
  read(name: string): Promise<Buffer | undefined>;
  delete(name: string): Promise<void>;
};

export class DamagedFile extends AppError {
  constructor() {
    super("UNAVAILABLE", "This photo is damaged in our storage, so we can't show it.");
  }
}
