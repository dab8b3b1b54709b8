import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../config.ts";
import { readDiskSpace } from "../../metrics/node-metrics.ts";
import { type ImageStore, isPrivate } from "./port.ts";
import { s3Images } from "./s3.ts";

export function imageStore({ s3, dataDir, providerTimeouts }: Config): ImageStore {
  if (!s3) return diskImages(imageFolder(dataDir));
  return s3Images({ ...s3, timeouts: providerTimeouts.s3 });
}

export function imageFolder(dataDir: string): string {
  return join(dataDir, "images");
}

/** Reserved for the database on the same disk, because admins need it to log in. */
const minFreeBytes = 64 * 1_048_576;

/** A rename makes each write atomic. Only the server's own user can read private images. */
export function diskImages(folder: string): ImageStore {
  const pathOf = (name: string) =>
    join(folder, dirname(name), basename(name).slice(0, 2), basename(name));
  return {
    async put(name, bytes) {
      const path = pathOf(name);
      const temporary = `${path}.${randomUUID()}`;
      const [folderMode, mode] = isPrivate(name) ? [0o700, 0o600] : [0o777, 0o666];
      await mkdir(dirname(path), { recursive: true, mode: folderMode });
      await requireSpace(dirname(path));
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

async function requireSpace(folder: string): Promise<void> {
  const disk = await readDiskSpace(folder);
  if (disk && disk.freeBytes < minFreeBytes)
    throw Object.assign(new Error(`The disk of ${folder} is full.`), { code: "ENOSPC" });
}
