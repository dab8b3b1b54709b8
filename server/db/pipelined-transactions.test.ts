import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { countRoundTrips } from "../testing/round-trips.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { executeTogether } from "./execute-together.ts";

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

test("BEGIN travels with a SELECT, and inserts with COMMIT", async () => {
  const before = roundTrips();
  await shop.deps.db.transaction().execute(async (tx) => {
    await sql`select from members`.execute(tx);
    await executeTogether(tx, [insert(1), insert(2)]);
  });
  expect(roundTrips() - before).toBe(2);
  expect(await values()).toEqual([{ value: 1 }, { value: 2 }]);
});

test("a statement that is no SELECT waits for BEGIN", async () => {
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

test("inserts that fail make COMMIT fail with their error, and nothing is written", async () => {
  const failed = shop.deps.db.transaction().execute(async (tx) => {
    await insert(1).execute(tx);
    await executeTogether(tx, [insert(2), insert(1)]);
  });
  await expect(failed).rejects.toMatchObject({ code: "23505" });
  expect(await values()).toEqual([]);
  await shop.deps.db.transaction().execute((tx) => executeTogether(tx, [insert(3)]));
  expect(await values()).toEqual([{ value: 3 }]);
});
