import { mkdir, open, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { readDiskSpace } from "../metrics/node-metrics.ts";

const megabyte = 1_048_576;
/** The size of one of PostgreSQL's WAL files. */
const stepBytes = 16 * megabyte;
const reserveBytes = 4 * stepBytes;
const checkMs = 2_000;

type Options = { dataDir: string; report: (line: string) => void };

/**
 * Frees a reserve while the disk is full, so that admins can still log in. Frees it in steps, so
 * that a retry of the write that filled the disk can't use the whole reserve.
 */
export async function keepDiskReserve({ dataDir, report }: Options): Promise<() => Promise<void>> {
  const path = join(dataDir, "disk-reserve");
  await mkdir(dataDir, { recursive: true });
  let checking = check();
  const timer = setInterval(() => {
    checking = checking.then(check);
  }, checkMs);
  return async () => {
    clearInterval(timer);
    await checking;
  };

  async function check(): Promise<void> {
    const disk = await readDiskSpace(dataDir);
    if (!disk) return;
    const kept = await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    if (disk.freeBytes < stepBytes && kept > 0) {
      await truncate(path, Math.max(0, kept - stepBytes)).catch(() => {});
      report(`The disk of ${dataDir} is full. Free some space: we keep it open for admins only.`);
    }
    if (kept < reserveBytes && disk.freeBytes > 2 * reserveBytes) await fill(path).catch(() => {});
  }
}

/** Writes every byte, because a sparse file reserves no space. */
async function fill(path: string): Promise<void> {
  await using file = await open(path, "w", 0o600);
  const zeros = Buffer.alloc(megabyte);
  for (let written = 0; written < reserveBytes; written += megabyte) await file.write(zeros);
}
