import { createReadStream } from "node:fs";
import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import { version } from "../version.ts";
import type { About, Source } from "./backup.ts";
import {
  beginSession,
  hashTables,
  ignoreMissing,
  listTables,
  readMigrations,
  type Table,
  withClient,
} from "./tables.ts";

/**
 * Throws if the shop is not empty, the backup has other migrations, or the tables' hashes differ.
 * After a failure in an empty shop, the shop does not start, and the restore can be repeated.
 */
export async function restore(target: Source, folder: string): Promise<Record<string, string>> {
  return await withClient(target.url, async (client) => {
    await requireNoMembers(client);
    if (!(await hasFailedBefore(client))) await requireNoPhotos(target.dataDir);
    await client.query("update backup_status set restoring = true");
    return await fill(client, target, folder);
  });
}

async function requireNoMembers(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("select from members limit 1");
  if (rowCount)
    throw new Error(
      "This shop has members already. Restore into an empty one: set DATA_DIR to a new folder.",
    );
}

/** Whether an earlier restore has not succeeded. If so, this one may replace its photos. */
async function hasFailedBefore(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query("select from backup_status where restoring");
  return rowCount !== 0;
}

async function requireNoPhotos(dataDir: string): Promise<void> {
  const images = join(dataDir, "images");
  const files = await readdir(images).catch(ignoreMissing);
  if (files?.length)
    throw new Error(
      `${images} has photos already. Set DATA_DIR to a new folder, or move them away.`,
    );
}

async function fill(client: pg.Client, { dataDir }: Source, folder: string) {
  const about = await readAbout(folder);
  await beginSession(client);
  await requireSameMigrations(client, about);
  // Blocks sign-ups on nodes that run during the restore.
  await client.query("lock table members in exclusive mode");
  await requireNoMembers(client);
  await replaceRows(client, folder);
  const hashes = await hashTables(client);
  if (!isDeepStrictEqual(hashes, about.hashes))
    throw new Error("The restored rows differ from the backup's. Nothing was kept.");
  await client.query("update backup_status set restoring = false");
  await replaceFiles(folder, dataDir).catch(async (error: unknown) => {
    await removeFiles(dataDir);
    throw error;
  });
  // If the commit fails, the files stay: PostgreSQL may have committed before the connection broke.
  await client.query("commit");
  return hashes;
}

/** Replaces the images and the sandbox's data. An empty shop has none worth keeping. */
async function replaceFiles(folder: string, dataDir: string): Promise<void> {
  await removeFiles(dataDir);
  for (const kind of ["images", "sandbox"])
    await cp(join(folder, kind), join(dataDir, kind), { recursive: true }).catch(ignoreMissing);
}

async function removeFiles(dataDir: string): Promise<void> {
  for (const kind of ["images", "sandbox"])
    await rm(join(dataDir, kind), { recursive: true, force: true });
}

async function readAbout(folder: string): Promise<About> {
  const text = await readFile(join(folder, "about.json"), "utf8").catch(() => {
    throw new Error(`${folder} contains no backup of Secondlap.`);
  });
  return JSON.parse(text) as About;
}

/** The same migrations make the same tables. */
async function requireSameMigrations(client: pg.Client, about: About): Promise<void> {
  const here = await readMigrations(client);
  if (isDeepStrictEqual(here, about.migrations)) return;
  const [theirs, ours] = [about.migrations, here].map((names) => names.at(-1));
  throw new Error(
    `Secondlap ${about.program} (${theirs}) made this backup, and this is Secondlap ${version} (${ours}). Restore it with Secondlap ${about.program}, then upgrade.`,
  );
}

/** Deletes rows first, because the backup also has the rows that migrations inserted. */
async function replaceRows(client: pg.Client, folder: string): Promise<void> {
  const tables = await listTables(client);
  await disableTriggers(client, tables);
  for (const { name } of tables.toReversed()) await client.query(`delete from ${name}`);
  await insertRows(client, folder, tables);
  await enableTriggers(client, tables);
  for (const table of tables) await advanceSequence(client, table);
}

async function insertRows(client: pg.Client, folder: string, tables: Table[]): Promise<void> {
  for await (const line of readLines(folder)) {
    const { table: name, rows } = JSON.parse(line) as { table: string; rows: string[] };
    const table = tables.find((one) => one.name === name);
    if (!table) throw new Error("The backup has an unknown table.");
    const columns = table.columns.join(", ");
    await client.query(
      `insert into ${name} (${columns}) overriding system value
        select ${table.columns.map((column) => `(row).${column}`).join(", ")}
        from (select one::${name} as row from unnest($1::text[]) as one offset 0) as rows`,
      [rows],
    );
  }
}

async function* readLines(folder: string): AsyncGenerator<string> {
  const file = createReadStream(join(folder, "database.jsonl.gz"));
  try {
    // Unlike `pipe`, `pipeline` passes on the file's errors. The loop throws them.
    yield* createInterface({ input: pipeline(file, createGunzip(), () => {}) });
  } catch (error) {
    throw new Error(`${folder} is not a complete backup: ${(error as Error).message}.`);
  }
}

async function advanceSequence(client: pg.Client, { name, serial }: Table): Promise<void> {
  if (serial === undefined) return;
  await client.query(
    `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${serial}), 0) + 1, false) from ${name}`,
    [name, serial.replaceAll('"', "")],
  );
}

/**
 * Disables triggers, which would change restored rows or add rows that the backup already has.
 * Defers foreign keys within one table until all rows are restored. Avoids
 * `session_replication_role`, because managed PostgreSQL allows it only to superusers.
 */
async function disableTriggers(client: pg.Client, tables: Table[]): Promise<void> {
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
  for (const { table, name } of await ownReferences(client))
    await client.query(
      `alter table ${table} alter constraint ${name} deferrable initially deferred`,
    );
}

async function enableTriggers(client: pg.Client, tables: Table[]): Promise<void> {
  await client.query("set constraints all immediate");
  for (const { table, name } of await ownReferences(client))
    await client.query(`alter table ${table} alter constraint ${name} not deferrable`);
  for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
}

/** Lists foreign keys within one table, such as from a member to the admin who verified them. */
async function ownReferences(client: pg.Client): Promise<{ table: string; name: string }[]> {
  const { rows } = await client.query<{ table: string; name: string }>(`
    select conrelid::regclass::text as table, format('%I', conname) as name
    from pg_constraint where contype = 'f' and conrelid = confrelid`);
  return rows;
}
