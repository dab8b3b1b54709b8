import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import type { Database } from "../db/database.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { openTestDatabase } from "../testing/test-connections.ts";

let shop: Shop;
let server: Database;

beforeAll(async () => {
  shop = await openShop();
  server = openTestDatabase(inject("postgresUrl"), 1);
});
afterAll(async () => {
  await server.pool.end();
  await shop.close();
});

test("while changes can't be read, no tagged response comes from the cache, and the outage is logged once", async () => {
  const warn = vi.spyOn(shop.app.log, "warn");
  const database = new URL(shop.databaseUrl).pathname.slice(1);
  const allowConnections = (allow: boolean) =>
    server.pool.query(`alter database ${database} allow_connections ${allow}`);
  await expect.poll(isCached).toBe(true);
  await allowConnections(false);
  await server.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'secondlap changes'",
    [database],
  );
  await expect.poll(isCached).toBe(false);
  await allowConnections(true);
  await expect.poll(isCached).toBe(true);
  expect(warn.mock.calls.map((logged) => logged.at(-1))).toEqual([
    "changes of public pages can't be read: nothing is served from the cache",
    "changes of public pages can be read again",
  ]);
});

async function isCached(): Promise<boolean> {
  let rendered = 0;
  const render = async () => ({
    status: 200,
    headers: {},
    tags: ["advertised"],
    body: `${++rendered}`,
  });
  for (const _ of "ab") await shop.deps.publicCache.get("same key", render);
  return rendered < 2;
}
