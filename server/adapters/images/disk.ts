import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ImageStore } from "./port.ts";

/** Stores images on disk, spread over up to 256 subfolders. A rename makes each write atomic. */
export function diskImages(folder: string): ImageStore {
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name);
  return {
    async put(name, bytes) {
      const path = pathOf(name);
      const temporary = `${path}.${randomUUID()}`;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(temporary, bytes, { flush: true });
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
