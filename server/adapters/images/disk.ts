import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type ImageStore, isPrivate } from "./port.ts";

/**
 * Stores images on disk, spread over up to 256 subfolders. A rename makes each write atomic. Private ones are in a
 * folder of their own, for this user of the machine only.
 */
export function diskImages(folder: string): ImageStore {
  const pathOf = (name: string) =>
    join(folder, dirname(name), basename(name).slice(0, 2), basename(name));
  return {
    async put(name, bytes) {
      const path = pathOf(name);
      const temporary = `${path}.${randomUUID()}`;
      const [folderMode, mode] = isPrivate(name) ? [0o700, 0o600] : [0o777, 0o666];
      await mkdir(dirname(path), { recursive: true, mode: folderMode });
      await writeFile(temporary, bytes, { flush: true, mode });
      await rename(temporary, path);
    },
    async delete(name) {
      await rm(pathOf(name), { force: true });
    },
    async read(name) {
      return await readFile(pathOf(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
    },
  };
}
