import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rowOf, shops, simulate } from "../../bench/cdn-simulation.mjs";

test("the simulated CDN gives the figures of docs/scale.md again", () => {
  const file = new URL("../../bench/cdn-simulation.json", import.meta.url);
  const rows = JSON.parse(readFileSync(file, "utf8")) as object[];
  expect(shops.slice(0, 2).map(rowOf)).toEqual(rows.slice(0, 2));
  expect(rows).toHaveLength(shops.length);
});

test("each change makes the simulated CDN ask the shop again", () => {
  const shop = { laptops: 100, views: 50, exponent: 0.8, seconds: 3_600, measured: 600 };
  const hits = (bookings: number) => {
    const { laptop, search } = simulate({ ...shop, bookings }).counted;
    expect(search.hits).toBe(0);
    return laptop.hits / laptop.views;
  };
  const [quiet, busy] = [hits(0.0001), hits(1)];
  expect(quiet).toBeGreaterThan(0.95);
  expect(busy).toBeLessThan(quiet / 2);
});
