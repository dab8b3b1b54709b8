import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../testing/shop.ts";
import type { Tx } from "./database.ts";
import { mayTakeHours, preparedStatements } from "./prepared-statements.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test("a repeated statement is prepared once per connection, unless it has no parameters or selects *", async () => {
  const { db } = shop.deps;
  const sendAll = (tx: Tx) =>
    Promise.all([
      sql`select ${1}::integer + 1000`.execute(tx),
      sql`select 1000`.execute(tx),
      sql`select members.*, ${1}::integer + 1000 from members`.execute(tx),
    ]);
  await db.connection().execute(async (one) => {
    await sendAll(one);
    await sendAll(one);
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like '%1000%'`.execute(one);
    expect(rows).toEqual([{ statement: "select $1::integer + 1000" }]);
  });
});

test("the client's query timeout does not apply to a statement marked with `mayTakeHours`", async () => {
  const { connectionString } = shop.pool.options;
  const pool = new pg.Pool({ connectionString, query_timeout: 50 });
  // A client closes its connection when a statement times out.
  pool.on("connect", (client) => client.on("error", () => {}));
  const sleep = async (end: string) => {
    const client = await preparedStatements(pool).connect();
    const done = client.query(`select pg_sleep(0.2) is null as slept ${end}`, []);
    return await done.finally(() => client.release(true));
  };
  expect((await sleep(mayTakeHours)).rows).toHaveLength(1);
  await expect(sleep("")).rejects.toThrow("timeout");
  await pool.end();
});
