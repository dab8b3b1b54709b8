import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";

type DiskSpace = { freeBytes: number; bytes: number };

export const minFreeShare = 0.1;

/** Undefined if the folder does not exist, as in some shops with photos in S3. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found && { freeBytes: found.bavail * found.bsize, bytes: found.blocks * found.bsize };
}

export function measureDisk(registry: Registry, dataDir: string): void {
  const gauge = (metric: string, help: string, read: (disk: DiskSpace) => number) =>
    new Gauge({
      name: metric,
      help,
      registers: [registry],
      async collect() {
        const disk = await readDiskSpace(dataDir);
        if (disk) this.set(read(disk));
      },
    });
  gauge("secondlap_disk_bytes", "Size of the disk that has DATA_DIR", ({ bytes }) => bytes);
  gauge(
    "secondlap_disk_free_bytes",
    "Free space on the disk that has DATA_DIR",
    ({ freeBytes }) => freeBytes,
  );
}
