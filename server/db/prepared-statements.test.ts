import { sql } from "kysely";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openShop } from "../testing/shop.ts";
import { countRoundTrips } from "../testing/statements.ts";
import type { Tx } from "./database.ts";
import { mayTakeHours, preparedStatements } from "./prepared-statements.ts";

const shop = await openShop();
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

test("if BEGIN fails, the only other statement that may have been sent is a SELECT", async () => {
  const sent: string[] = [];
  const client = {
    query: async ({ text }: { text: string }) => {
      sent.push(text);
      if (text === "begin") throw new Error("canceling statement due to user request");
      return { rows: [] };
    },
  };
  const pool = { options: {}, connect: async () => client } as unknown as pg.Pool;
  const begin = async () => {
    const { query } = await preparedStatements(pool).connect();
    await query("begin", []);
    return query;
  };
  const query = await begin();
  for (const text of ["select 1", "insert into offers default values", "commit"])
    await expect(query(text, [])).rejects.toThrow("canceling");
  await expect((await begin())("commit", [])).rejects.toThrow("canceling");
  expect(sent).toEqual(["begin", "select 1", "begin"]);
});

test("a transaction sends BEGIN together with its first SELECT", async () => {
  const roundTrips = countRoundTrips(shop.pool);
  await shop.deps.db.transaction().execute(async (tx) => {
    await sql`select ${1}::int`.execute(tx);
    await sql`select ${2}::int`.execute(tx);
  });
  expect(roundTrips()).toBe(3);
});
