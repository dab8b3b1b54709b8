import { expect, inject, onTestFinished, test, vi } from "vitest";
import { metricOf } from "../testing/metrics.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { endConnections } from "../testing/test-connections.ts";

test("while changes can't be read, no tagged response comes from the cache, a metric shows it, and the outage is logged once", async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const warn = vi.spyOn(shop.app.log, "warn");
  const state = async () => [
    await isCached(shop),
    await metricOf(shop, "secondlap_public_cache_current"),
  ];
  await expect.poll(state).toEqual([true, 1]);
  const outage = { administratorUrl: inject("postgresUrl"), databaseUrl: shop.databaseUrl };
  const which = "application_name = 'secondlap changes'";
  const allow = await endConnections(outage, { which, refuse: true });
  await expect.poll(state).toEqual([false, 0]);
  await allow();
  await expect.poll(state).toEqual([true, 1]);
  expect(warn.mock.calls.map((logged) => logged.at(-1))).toEqual([
    "changes of public pages can't be read: nothing is served from the cache",
    "changes of public pages can be read again",
  ]);
});

async function isCached(shop: Shop): Promise<boolean> {
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
