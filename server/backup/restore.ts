import { createReadStream } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";
import { createGunzip } from "node:zlib";
import pg from "pg";
import type { Source } from "./backup.ts";
import { hashTables, listTables, readVersion, type Table } from "./tables.ts";

/**
 * Restores a backup into an empty, migrated shop in one transaction, and compares the hashes of the tables.
 * Throws if the shop is not empty or of another version.
 */
export async function restore(
  { url, dataDir }: Source,
  folder: string,
): Promise<Record<string, string>> {
  const about = await readAbout(folder);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("begin");
    await requireEmpty(client, about.version);
    const tables = await listTables(client);
    // The backup has the rows that migrations inserted, too.
    for (const { name } of tables.toReversed()) await client.query(`delete from ${name}`);
    await insertRows(client, {
      folder,
      tables: new Map(tables.map((table) => [table.name, table])),
    });
    for (const table of tables) await advanceSequence(client, table);
    const hashes = await hashTables(client);
    if (!isDeepStrictEqual(hashes, about.hashes))
      throw new Error("The restored rows differ from the backup's. Nothing was kept.");
    for (const kind of ["images", "sandbox"]) {
      await cp(join(folder, kind), join(dataDir, kind), { recursive: true }).catch(ignoreMissing);
    }
    await client.query("commit");
    return hashes;
  } finally {
    await client.end();
  }
}

type About = { version: string; hashes: Record<string, string> };

async function readAbout(folder: string): Promise<About> {
  const text = await readFile(join(folder, "about.json"), "utf8").catch(() => {
    throw new Error(`${folder} contains no backup of Secondlap.`);
  });
  return JSON.parse(text) as About;
}

async function requireEmpty(client: pg.Client, version: string): Promise<void> {
  const here = await readVersion(client);
  if (here !== version) {
    throw new Error(
      `The backup is of another version (${version}) than this Secondlap (${here}). Restore it with its own.`,
    );
  }
  const { rowCount } = await client.query("select from members limit 1");
  if (rowCount)
    throw new Error(
      "This shop has members already. Restore into an empty one: set DATA_DIR to a new folder.",
    );
}

async function insertRows(
  client: pg.Client,
  { folder, tables }: { folder: string; tables: Map<string, Table> },
): Promise<void> {
  const text = createReadStream(join(folder, "database.jsonl.gz")).pipe(createGunzip());
  for await (const line of createInterface({ input: text })) {
    const tab = line.indexOf("\t");
    const table = tables.get(JSON.parse(line.slice(0, tab)));
    if (!table) throw new Error("The backup has an unknown table.");
    const columns = table.columns.join(", ");
    const rows = `json_populate_recordset(null::${table.name}, $1::json)`;
    await client.query(
      `insert into ${table.name} (${columns}) overriding system value select ${columns} from ${rows}`,
      [line.slice(tab + 1)],
    );
  }
}

/** Continues numbering after the restored rows. */
async function advanceSequence(client: pg.Client, { name, serial }: Table): Promise<void> {
  if (serial === undefined) return;
  await client.query(
    `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${serial}), 0) + 1, false) from ${name}`,
    [name, serial.replaceAll('"', "")],
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
