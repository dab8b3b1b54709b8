/** A store of files that never change once written. */
export type ImageStore = {
  /** Stores the bytes under a name of letters, digits, `-` and `.`; storing them again changes nothing. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** The stored bytes; undefined if there are none. */
  read(name: string): Promise<Buffer | undefined>;
  /** Deletes a file, if it exists. */
  delete(name: string): Promise<void>;
};
