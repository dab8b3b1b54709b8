import { createWriteStream } from "node:fs";
import { chmod, copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { backup as backUpSqlite, DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { hashTables, listTables, readVersion, type Table } from "./tables.ts";

export type Source = { url: string; dataDir: string };

/**
 * Writes everything a shop has into a new folder while it runs: the database as of one moment, the
 * images, and what the stand-ins know, readable by its owner alone, without sessions. Answers the rows' hashes. Throws a sentence where `folder` exists.
 */
export async function backUp(
  { url, dataDir }: Source,
  folder: string,
): Promise<Record<string, string>> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === "EEXIST"
        ? `${folder} exists already. Name a new folder.`
        : `We can't make ${folder}: ${error.message}`,
    );
  });
  try {
    return await writeBackup({ url, dataDir }, folder);
  } catch (error) {
    // Half a backup would only stand in the way of the next one.
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function writeBackup({ url, dataDir }: Source, folder: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // One moment for all tables, however long reading them takes.
    await client.query("begin transaction isolation level repeatable read read only");
    const hashes = await hashTables(client);
    await writeFile(
      join(folder, "about.json"),
      JSON.stringify({ version: await readVersion(client), hashes }, null, 2),
    );
    const rows = Readable.from(readRows(client, await listTables(client)));
    await pipeline(
      rows,
      createGzip(),
      createWriteStream(join(folder, "database.jsonl.gz"), { flush: true }),
    );
    await copyFiles(dataDir, folder);
    await closeToOthers(folder);
    return hashes;
  } finally {
    await client.end();
  }
}

async function* readRows(client: pg.Client, tables: Table[]): AsyncGenerator<string> {
  for (const { name } of tables) {
    await client.query(
      `declare reading no scroll cursor for select row_to_json(t)::text as row from ${name} t`,
    );
    while (true) {
      const { rows } = await client.query<{ row: string }>("fetch 1000 from reading");
      if (rows.length === 0) break;
      yield `${JSON.stringify(name)}\t[${rows.map(({ row }) => row).join(",")}]\n`;
    }
    await client.query("close reading");
  }
}

/** Images never change once written, but one that nobody uses may go while we copy: it is passed over. */
async function copyImages(from: string, to: string): Promise<void> {
  const all = await readdir(from, { recursive: true, withFileTypes: true }).catch(unlessMissing);
  for (const image of all?.filter((entry) => entry.isFile()) ?? []) {
    const path = join(image.parentPath, image.name);
    const copy = join(to, relative(from, path));
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(path, copy).catch(unlessMissing);
  }
}

/** The stand-ins' books are copied as of one moment each. */
async function copyFiles(dataDir: string, folder: string): Promise<void> {
  await copyImages(join(dataDir, "images"), join(folder, "images"));
  const books = join(dataDir, "sandbox");
  const names = (await readdir(books).catch(() => [])).filter((name) =>
    /\.(sqlite|db)$/.test(name),
  );
  if (names.length > 0) await mkdir(join(folder, "sandbox"));
  for (const name of names) {
    const book = new DatabaseSync(join(books, name), { readOnly: true });
    await backUpSqlite(book, join(folder, "sandbox", name));
    book.close();
  }
}

/** For its owner alone, down to each file, so that copies of parts of it are as well. */
async function closeToOthers(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
