/** A place for files that never change once written. */
export type ImageStore = {
  /** Keeps the bytes under a name of letters, digits, `-` and `.`; keeping them again changes nothing. */
  keep(name: string, bytes: Buffer): Promise<void>;
  /** The bytes, or undefined where there are none under that name. */
  read(name: string): Promise<Buffer | undefined>;
  /** Removes what is kept under a name, if anything is. */
  remove(name: string): Promise<void>;
};
