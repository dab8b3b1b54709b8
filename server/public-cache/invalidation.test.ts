import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Database, openDatabase } from "../db/database.ts";
import { openShop, type Shop } from "../testing/shop.ts";

let shop: Shop;
let server: Database;

beforeAll(async () => {
  shop = await openShop();
  server = openDatabase(inject("postgresUrl"), { connections: 1 });
});
afterAll(async () => {
  await server.pool.end();
  await shop.close();
});

test("while nothing can be heard of changes nothing is kept, so nothing stale is shown", async () => {
  const database = new URL(shop.databaseUrl).pathname.slice(1);
  const letIn = (whether: boolean) =>
    server.pool.query(`alter database ${database} allow_connections ${whether}`);
  await expect.poll(isKept).toBe(true);
  await letIn(false);
  await server.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'secondlap changes'",
    [database],
  );
  await expect.poll(isKept).toBe(false);
  await letIn(true);
  await expect.poll(isKept).toBe(true);
});

/** Whether an answer given now would be given again. */
async function isKept(): Promise<boolean> {
  let made = 0;
  const produce = async () => ({ status: 200, headers: {}, body: `${++made}` });
  for (const _ of "ab") await shop.deps.publicCache.read("asked twice", produce);
  return made < 2;
}
