import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { backUp, type Source, unlessBackupRuns } from "./backup.ts";

const hourMs = 3_600_000;
/** A backup's name is its time in UTC, so that names sort by age. */
const named = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

type Kept = { folder: string; keep: number; now: Date };

/** Keeps the newest `keep` backups (14 in deploy/). Deletes none while another one runs. */
export async function backUpAndKeep(
  source: Source,
  { folder, keep, now }: Kept,
): Promise<Record<string, string>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
  const hashes = await backUp(source, join(folder, name));
  await unlessBackupRuns(source.url, () => deleteOld(folder, keep));
  return hashes;
}

async function deleteOld(folder: string, keep: number): Promise<void> {
  const newest = (await listBackups(folder)).slice(0, keep);
  const kept = new Set(newest.map((one) => one.name));
  // Deletes interrupted backups too.
  for (const old of (await readdir(folder)).filter((one) => named.test(one) && !kept.has(one)))
    await rm(join(folder, old), { recursive: true });
}

/** Milliseconds until the newest backup in `folder` is `hours` old; 0 if a backup is due now. */
export async function untilNextBackup({
  folder,
  hours,
  now,
}: {
  folder: string;
  hours: number;
  now: Date;
}): Promise<number> {
  const [newest] = await listBackups(folder);
  if (!newest) return 0;
  return Math.max(0, newest.at.getTime() + hours * hourMs - now.getTime());
}

/** Complete backups, newest first. */
async function listBackups(folder: string): Promise<{ name: string; at: Date }[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const whole: string[] = [];
  for (const name of names.filter((one) => named.test(one)))
    if (await stat(join(folder, name, "about.json")).catch(() => false)) whole.push(name);
  return whole
    .toSorted()
    .reverse()
    .map((name) => ({ name, at: new Date(name.replace(/T(..)-(..)-/, "T$1:$2:")) }));
}
