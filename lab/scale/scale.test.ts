import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rowOf, shops, simulate } from "../bench/cdn-simulation.mjs";
import { daysUntil, keptBySale } from "./scale-kept.ts";

test("the simulated CDN reproduces the figures of docs/scale.md", () => {
  const file = new URL("../bench/cdn-simulation.json", import.meta.url);
  const rows = JSON.parse(readFileSync(file, "utf8")) as object[];
  expect(shops.slice(0, 2).map(rowOf)).toEqual(rows.slice(0, 2));
  expect(rows).toHaveLength(shops.length);
});

test("with more bookings, the simulated CDN requests more pages from the shop", () => {
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

test("keptBySale counts the rows that a sale leaves permanently, but not rows that are deleted later", () => {
  const row = (name: string, inserted: number, deleted = 0) => ({
    name,
    inserted,
    deleted,
    bytes: 50,
  });
  const rows = [
    row("audit_log", 10),
    row("job_outbox", 9, 9),
    row("public_changes", 7),
    row("new_table", 1),
  ];
  const sizes = [{ name: "audit_log", rows: 2, tableBytes: 200, indexBytes: 300 }];
  const { bytes, indexBytes, tables } = keptBySale(rows, sizes);
  expect([bytes, indexBytes]).toEqual([10 * 250 + 50, 1_500]);
  expect(tables.map(({ name }) => name)).toEqual(["audit_log", "new_table"]);
  expect(daysUntil(1_000, 400, 100)).toBe("6 days");
});
