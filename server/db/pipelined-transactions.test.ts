import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { countRoundTrips } from "../testing/round-trips.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import type { Tx } from "./database.ts";
import { executeTogether } from "./execute-together.ts";
import { mayTakeHours, pipelineTransactions } from "./pipelined-transactions.ts";

let shop: Shop;
let roundTrips: () => number;
beforeAll(async () => {
  shop = await openShop();
  await sql`create table written (value integer primary key)`.execute(shop.deps.db);
  roundTrips = countRoundTrips(shop.pool);
});
beforeEach(() => sql`truncate written`.execute(shop.deps.db));
afterAll(() => shop.close());

const insert = (value: number) => sql`insert into written values (${value})`;
const values = async () =>
  (await sql<{ value: number }>`select value from written order by value`.execute(shop.deps.db))
    .rows;

test("sends BEGIN together with a SELECT, and inserts together with COMMIT", async () => {
  const before = roundTrips();
  await shop.deps.db.transaction().execute(async (tx) => {
    await sql`select from members`.execute(tx);
    await executeTogether(tx, [insert(1), insert(2)]);
  });
  expect(roundTrips() - before).toBe(2);
  expect(await values()).toEqual([{ value: 1 }, { value: 2 }]);
});

test("a statement other than SELECT waits for BEGIN", async () => {
  const before = roundTrips();
  const failed = shop.deps.db.transaction().execute(async (tx) => {
    await insert(1).execute(tx);
    await executeTogether(tx, [insert(2)]);
    throw new Error("changed our mind");
  });
  await expect(failed).rejects.toThrow("changed our mind");
  // BEGIN, the first insert, ROLLBACK; the second insert is not sent.
  expect(roundTrips() - before).toBe(3);
  expect(await values()).toEqual([]);
});

test("failed inserts make COMMIT fail with their error, and nothing is written", async () => {
  const failed = shop.deps.db.transaction().execute(async (tx) => {
    await insert(1).execute(tx);
    await executeTogether(tx, [insert(2), insert(1)]);
  });
  await expect(failed).rejects.toMatchObject({ code: "23505" });
  expect(await values()).toEqual([]);
  await shop.deps.db.transaction().execute((tx) => executeTogether(tx, [insert(3)]));
  expect(await values()).toEqual([{ value: 3 }]);
});

test("prepares a repeated statement once per connection, unless it has no parameters or uses *", async () => {
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

test("the client does not time out a statement that may take hours", async () => {
  const { connectionString } = shop.pool.options;
  const pool = new pg.Pool({ connectionString, query_timeout: 50 });
  // A client breaks its connection when a statement times out.
  pool.on("connect", (client) => client.on("error", () => {}));
  const sleep = async (end: string) => {
    const client = await pipelineTransactions(pool).connect();
    const done = client.query(`select pg_sleep(0.2) is null as slept ${end}`, []);
    return await done.finally(() => client.release(true));
  };
  expect((await sleep(mayTakeHours)).rows).toHaveLength(1);
  await expect(sleep("")).rejects.toThrow("timeout");
  await pool.end();
});
