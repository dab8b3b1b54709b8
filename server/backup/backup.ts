import { createWriteStream } from "node:fs";
import { chmod, copyFile, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { backup as backUpSqlite, DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { version } from "../version.ts";
import {
  beginSession,
  hashTables,
  ignoreMissing,
  listTables,
  readMigrations,
  type Table,
  withClient,
} from "./tables.ts";

export type Source = { url: string; dataDir: string };

/** The content of `about.json`. `program`: the version of Secondlap that made the backup. */
export type About = { program: string; migrations: string[]; hashes: Record<string, string> };

/**
 * Writes the data folder's images and sandbox data, and the database except `notBackedUp`
 * (tables.ts). Only the owner can read the files. Returns the tables' hashes. Throws if `folder`
 * exists.
 */
export async function backUp(
  { url, dataDir }: Source,
  folder: string,
): Promise<Record<string, string>> {
  return await withClient(url, async (client) => {
    // Locks first: another backup might mistake this one for interrupted and delete its folder.
    await client.query(`select pg_advisory_lock_shared(${key})`);
    await makeFolder(folder);
    return await writeBackup(client, dataDir, folder).catch(async (error: unknown) => {
      // The incomplete folder would block a retry with the same folder.
      await rm(folder, { recursive: true, force: true });
      throw error;
    });
  });
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === "EEXIST"
        ? `${folder} exists already. Name a new folder.`
        : `We can't make ${folder}: ${error.message}`,
    );
  });
}

async function writeBackup(client: pg.Client, dataDir: string, folder: string) {
  await beginSession(client, "transaction isolation level repeatable read read only");
  const hashes = await hashTables(client);
  const rows = Readable.from(readRows(client, await listTables(client)));
  await pipeline(
    rows,
    createGzip(),
    createWriteStream(join(folder, "database.jsonl.gz"), { flush: true }),
  );
  await copyFiles(dataDir, folder);
  const about: About = { program: version, migrations: await readMigrations(client), hashes };
  await client.query("commit");
  // Written last, so that a folder with this file is a complete backup.
  await writeFile(join(folder, "about.json"), JSON.stringify(about, null, 2), { flush: true });
  await restrictToOwner(folder);
  await client.query("update backup_status set backed_up_at = now()");
  return hashes;
}

async function* readRows(client: pg.Client, tables: Table[]): AsyncGenerator<string> {
  for (const { name } of tables) {
    await client.query(`declare reading no scroll cursor for select t::text as row from ${name} t`);
    while (true) {
      const { rows } = await client.query<{ row: string }>("fetch 1000 from reading");
      if (rows.length === 0) break;
      yield `${lineOf({ table: name, rows: rows.map(({ row }) => row) })}\n`;
    }
    await client.query("close reading");
  }
}

/** Escapes two characters that JSON leaves unescaped but `node:readline` treats as line ends. */
function lineOf(rows: { table: string; rows: string[] }): string {
  return JSON.stringify(rows).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** Skips images that are deleted during the copy. Images never change. */
async function copyImages(from: string, to: string): Promise<void> {
  const all = await readdir(from, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  for (const image of all?.filter((entry) => entry.isFile()) ?? []) {
    const path = join(image.parentPath, image.name);
    const copy = join(to, relative(from, path));
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(path, copy).catch(ignoreMissing);
  }
}

async function copyFiles(dataDir: string, folder: string): Promise<void> {
  await copyImages(join(dataDir, "images"), join(folder, "images"));
  const sandbox = join(dataDir, "sandbox");
  const names = (await readdir(sandbox).catch(() => [])).filter((name) =>
    /\.(sqlite|db)$/.test(name),
  );
  if (names.length > 0) await mkdir(join(folder, "sandbox"));
  for (const name of names) {
    const database = new DatabaseSync(join(sandbox, name), { readOnly: true });
    await backUpSqlite(database, join(folder, "sandbox", name));
    database.close();
  }
}

/** Restricts every file and folder, so that copies of single files are private too. */
async function restrictToOwner(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}

/** The key of an advisory lock. PostgreSQL releases the lock even if the backup is killed. */
const key = "hashtextextended('running backups', 0)";

/** Runs `work` unless another process holds the lock. New backups wait until `work` ends. */
async function unlessBackupRuns(url: string, work: () => Promise<void>): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ isFree: boolean }>(
      `select pg_try_advisory_lock(${key}) as "isFree"`,
    );
    if (rows[0]?.isFree) await work();
  });
}

const hourMs = 3_600_000;
/** A backup's name is its time in UTC, so that names sort by age. */
const named = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/**
 * Keeps only the newest `keep` finished backups in `folder`. Deletes none while another backup
 * runs.
 */
export async function backUpAndKeep(
  source: Source,
  { folder, keep, now }: { folder: string; keep: number; now: Date },
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
  for (const old of (await readdir(folder)).filter((one) => named.test(one) && !kept.has(one)))
    await rm(join(folder, old), { recursive: true });
}

type Schedule = { folder: string; hours: number; now: Date };

/** Milliseconds until the newest backup in `folder` is `hours` old; 0 if a backup is due now. */
export async function untilNextBackup({ folder, hours, now }: Schedule): Promise<number> {
  const [newest] = await listBackups(folder);
  return newest ? Math.max(0, newest.at.getTime() + hours * hourMs - now.getTime()) : 0;
}

/** Newest first, without interrupted backups. */
async function listBackups(folder: string): Promise<{ name: string; at: Date }[]> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  const whole: string[] = [];
  for (const name of names.filter((one) => named.test(one)))
    if (await stat(join(folder, name, "about.json")).catch(() => false)) whole.push(name);
  return whole
    .toSorted()
    .reverse()
    .map((name) => ({ name, at: new Date(name.replace(/T(..)-(..)-/, "T$1:$2:")) }));
}
