import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { PublicCache } from "#server/public-cache/public-cache.ts";

const page = (bytes: number) => async () => ({
  status: 200,
  tags: ["shown"],
  headers: { "content-type": "text/html" },
  body: randomBytes(bytes / 2).toString("hex"),
});
const neverAgain = () => Promise.reject(new Error("made anew"));

test("a flood of distinct URLs does not exceed the cache's size limit, and a frequently used entry stays cached", async () => {
  const cache = new PublicCache({ maxBytes: 100_000 });
  const home = await cache.get("home", page(8_000));
  for (let n = 0; n < 100; n += 1) {
    await cache.get(`made up ${n}`, page(8_000));
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
    expect(await cache.get("home", neverAgain)).toBe(home);
  }
  expect(cache.bytes).toBeGreaterThan(50_000);
  await expect(cache.get("made up 0", neverAgain)).rejects.toThrow("made anew");
});

test("a response larger than the cache is returned but not cached", async () => {
  const cache = new PublicCache({ maxBytes: 10_000 });
  const { bytes } = await (await cache.get("large", page(20_000))).encode("identity");
  expect(bytes).toHaveLength(20_000);
  expect(cache.bytes).toBe(0);
});

test("clear() empties the cache, and a response that is still being rendered is not cached", async () => {
  const cache = new PublicCache();
  await cache.get("kept", page(8_000));
  let begun = false;
  const making = cache.get("being made", async () => {
    begun = true;
    await Promise.resolve();
    return await page(8_000)();
  });
  await vi.waitUntil(() => begun, { interval: 0 });
  cache.clear();
  await making;
  expect(cache.bytes).toBe(0);
});
