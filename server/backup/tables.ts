import type pg from "pg";
import { credentialTables } from "../adapters/identity/port.ts";

/** A table with its columns, without generated ones. */
export type Table = { name: string; columns: string[]; serial: string | undefined };

/** The applied migrations; the same on both sides of a restore. */
const bookkeeping = ["public.migrations", "graphile_worker.migrations"];
/** Filled by triggers, also while rows are restored (decisions 0037 and 0050). */
const counted = [
  ...["public.overview_counts", "public.overview_deltas", "public.credit_accounts"],
  ...["public.search_documents", "public.search_vocabulary"],
  ...["public.search_counts", "public.search_count_deltas"],
];
/** Rows that name transactions and positions of this server (decisions 0035 and 0108). */
const transient = ["public.public_changes", "public.write_positions"];

/** The tables of a backup, each after the tables it references; one in partitions is one table. */
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
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'identity', 'graphile_worker')
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
  const skipped = [...bookkeeping, ...counted, ...transient, ...credentialTables];
  return [...ordered.values()].filter(({ name }) => !skipped.includes(name));
}

/** The applied migrations, as one string. */
export async function readVersion(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    "select name from migrations order by name",
  );
  return rows.map(({ name }) => name).join(", ");
}

/** Per table the number of rows and a hash over them, independent of their order. */
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
