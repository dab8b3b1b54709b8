import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ImageStore } from "./port.ts";

/** Keeps images in a folder, spread over 256 below it. */
export function diskImages(folder: string): ImageStore {
  const place = (name: string) => join(folder, name.slice(0, 2), name);
  return {
    async keep(name, bytes) {
      const path = place(name);
      const draft = `${path}.${randomUUID()}`;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(draft, bytes, { flush: true });
      await rename(draft, path);
    },
    async remove(name) {
      await rm(place(name), { force: true });
    },
    async read(name) {
      return await readFile(place(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
    },
  };
}
