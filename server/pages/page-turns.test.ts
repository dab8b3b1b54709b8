import { expect, onTestFinished, test } from "vitest";
import { holdReads } from "../testing/hold-reads.ts";
import { openShop } from "../testing/shop.ts";

const [attacker, visitor] = ["198.51.100.7", "203.0.113.9"];

test("while one network sends 110 page requests, another network still gets an uncached page", async () => {
  const shop = await openShop({ pages: true, env: { TRUST_PROXY: "loopback" } });
  onTestFinished(() => shop.close());
  const reads = holdReads(shop);
  const ask = async (address: string, path: string) =>
    (await fetch(`${shop.url}${path}`, { headers: { "x-forwarded-for": address } })).status;
  const statuses: number[] = [];
  const flood = Array.from({ length: 110 }, async (_, turn) =>
    statuses.push(await ask(attacker, `/search?q=laptop${turn}`)),
  );
  // Two of the first network's pages are being rendered, and fifty wait.
  await expect.poll(() => statuses).toEqual(Array(58).fill(503));
  const home = ask(visitor, "/");
  await expect.poll(() => statuses).toEqual(Array(59).fill(503));
  reads.endAll();
  expect(await home).toBe(200);
  await Promise.all(flood);
  expect(statuses.filter((status) => status === 503)).toHaveLength(59);
});
