import { execFile } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export type SmallDisk = {
  path: string;
  fill(): Promise<void>;
  empty(): Promise<void>;
  remove(): Promise<void>;
};

/** Mounts a tmpfs. Returns undefined if that fails, for example without root. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), "secondlap-disk-"));
  const mounted = await run("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${megabytes}m`,
    "tmpfs",
    path,
  ]).then(
    () => true,
    () => false,
  );
  if (!mounted) {
    await rm(path, { recursive: true });
    return undefined;
  }
  await run("chmod", ["755", path]);
  const filler = join(path, "filler");
  return {
    path,
    async fill() {
      const file = await open(filler, "a");
      for (const size of [1_048_576, 4_096]) {
        const block = Buffer.alloc(size, 1);
        while (await file.write(block).then(isWhole, () => false));
      }
      await file.close();

      function isWhole({ bytesWritten, buffer }: { bytesWritten: number; buffer: Buffer }) {
        return bytesWritten === buffer.length;
      }
    },
    empty: () => rm(filler),
    async remove() {
      // `--lazy`, because a killed program may still have open files on the disk.
      await run("umount", ["--lazy", path]);
      await rm(path, { recursive: true });
    },
  };
}
