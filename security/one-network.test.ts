import { expect, onTestFinished, vi } from "vitest";
import { shopTest } from "#server/testing/fixtures.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";

const test = shopTest({ pages: true });

const attacker = "203.0.113.7";
const visitor = "198.51.100.9";

/** Keeps every read of the shop waiting until `releaseAll`; `begun` counts those that were begun. */
function holdReads({ deps: { replicas } }: Shop) {
  const read = replicas.read.bind(replicas);
  const waiting: (() => void)[] = [];
  const state = { begun: 0, releaseAll: () => {} };
  let open = false;
  state.releaseAll = () => {
    open = true;
    for (const release of waiting.splice(0)) release();
  };
  const spy = vi.spyOn(replicas, "read").mockImplementation(async (position, work) => {
    state.begun += 1;
    if (!open) await new Promise<void>((release) => waiting.push(release));
    return await read(position, work);
  });
  onTestFinished(() => {
    state.releaseAll();
    spy.mockRestore();
  });
  return state;
}

const searchFrom = (shop: Shop, remoteAddress: string, q: string) =>
  shop.app.inject({ url: `/api/search?q=${encodeURIComponent(q)}`, remoteAddress });

test("searches of one network that fill every place leave room for another's", async ({ shop }) => {
  const reads = holdReads(shop);
  const flood = Array.from({ length: 150 }, (_, n) => searchFrom(shop, attacker, `laptop ${n}`));
  const answered: number[] = [];
  for (const one of flood) void one.then(({ statusCode }) => answered.push(statusCode));
  await expect.poll(() => reads.begun).toBe(4);
  // Four run and a hundred wait.
  await expect.poll(() => answered.length).toBe(46);
  expect(new Set(answered)).toEqual(new Set([503]));
  const wanted = searchFrom(shop, visitor, "thinkpad");
  // One of the network's own searches gives up its place.
  await expect.poll(() => answered.length).toBe(47);
  reads.releaseAll();
  expect((await wanted).statusCode).toBe(200);
  await Promise.all(flood);
});

test("110 pages that one network asks for leave room for another's home page", async () => {
  const shop = await openShop({ pages: true });
  onTestFinished(() => shop.close());
  const reads = holdReads(shop);
  const page = (remoteAddress: string, url: string) => shop.app.inject({ url, remoteAddress });
  const flood = Array.from({ length: 110 }, (_, n) => page(attacker, `/search?q=laptop+${n}`));
  const refused: number[] = [];
  for (const one of flood)
    void one.then(({ statusCode }) => statusCode === 503 && refused.push(statusCode));
  // Two render and fifty wait.
  await expect.poll(() => refused.length).toBe(58);
  const home = page(visitor, "/");
  await expect.poll(() => refused.length).toBe(59);
  reads.releaseAll();
  expect((await home).statusCode).toBe(200);
  await Promise.all(flood);
});
