import pg from "pg";
import { credentialTables } from "../adapters/identity/port.ts";

/** `columns` leaves out generated columns. */
export type Table = { name: string; columns: string[]; serial: string | undefined };

/** A test fails for each new table that `server/testing/backups.ts` doesn't list. */
const notBackedUp = [
  // A restore requires that the shop already has the backup's migrations.
  "public.migrations",
  "graphile_worker.migrations",
  // Valid only on this server (decisions/public-cache, decisions/pooler-and-replicas).
  "public.public_changes",
  "public.write_positions",
  "public.backup_status",
  ...credentialTables,
];

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // The next query reports a broken connection. Without a listener, it would end the process.
  client.on("error", () => {});
  await client.connect();
  return await work(client).finally(() => client.end());
}

/** Begins a transaction in which the text format of rows doesn't depend on server defaults. */
export async function beginSession(client: pg.ClientBase, mode = ""): Promise<void> {
  await client.query(`begin ${mode}`);
  await client.query(`
    set local timezone = 'UTC';
    set local datestyle = 'ISO, MDY';
    set local intervalstyle = 'postgres';
    set local bytea_output = 'hex';
    set local extra_float_digits = 1;
    set local statement_timeout = 0`);
}

/** Lists the tables to back up, each after the tables it references. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{
    oid: number;
    name: string;
    columns: string[];
    serial: string | null;
  }>(`
    select c.oid::int, format('%I.%I', n.nspname, c.relname) as name,
      array_agg(format('%I', a.attname) order by a.attnum) filter (where a.attgenerated = '') as columns,
      min(format('%I', a.attname)) filter (where a.attidentity <> '') as serial
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and n.nspname in ('public', 'identity', 'graphile_worker')
    group by c.oid, n.nspname, c.relname
    order by name`);
  const links = await client.query<{ child: number; parent: number }>(
    "select conrelid::int as child, confrelid::int as parent from pg_constraint where contype = 'f' and conrelid <> confrelid",
  );
  const parents = Map.groupBy(links.rows, ({ child }) => child);
  const ordered = new Map<number, Table>();
  const place = (oid: number) => {
    const table = rows.find((row) => row.oid === oid);
    if (!table || ordered.has(oid)) return;
    for (const { parent } of parents.get(oid) ?? []) place(parent);
    const { name, columns, serial } = table;
    ordered.set(oid, { name, columns, serial: serial ?? undefined });
  };
  for (const { oid } of rows) place(oid);
  return [...ordered.values()].filter(({ name }) => !notBackedUp.includes(name));
}

export async function readMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select name from migrations order by name",
  );
  return rows.map(({ name }) => name);
}

/** Each table's row count, and a hash that ignores row order. Call `beginSession` first. */
export async function hashTables(client: pg.ClientBase): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { name } of await listTables(client)) {
    const { rows } = await client.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash from ${name} t`,
    );
    hashes[name] = rows[0]?.hash ?? "";
  }
  return hashes;
}

export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
