import type pg from "pg";
import type { Table } from "./tables.ts";

/**
 * Disables triggers, which would change restored rows or add rows that the backup already has. The
 * owner of the tables may do so, whereas `session_replication_role` would need a superuser, which
 * managed PostgreSQL does not offer. Foreign keys are still checked, at the end if they refer to
 * their own table.
 */
export async function disableTriggers(client: pg.Client, tables: Table[]): Promise<void> {
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
  for (const { table, name } of await ownReferences(client))
    await client.query(
      `alter table ${table} alter constraint ${name} deferrable initially deferred`,
    );
}

export async function enableTriggers(client: pg.Client, tables: Table[]): Promise<void> {
  await client.query("set constraints all immediate");
  for (const { table, name } of await ownReferences(client))
    await client.query(`alter table ${table} alter constraint ${name} not deferrable`);
  for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
}

/** Foreign keys within one table, such as from a member to the admin who verified that member. */
async function ownReferences(client: pg.Client): Promise<{ table: string; name: string }[]> {
  const { rows } = await client.query<{ table: string; name: string }>(`
    select conrelid::regclass::text as table, format('%I', conname) as name
    from pg_constraint where contype = 'f' and conrelid = confrelid`);
  return rows;
}
