import { expect, test } from "vitest";
import type { Laptop } from "#contract/laptop-page.ts";
import { factRows } from "./fact-rows.ts";

function rowsOf(facts: Laptop["facts"], origins: Laptop["origins"] = {}) {
  const stated = { yearOf_purchase: 2024, use_duration: 18, location: "Leeds" };
  const laptop = { ...stated, postedAt: "2026-03-03T12:00:00.000Z", facts, origins } as Laptop;
  return factRows(laptop);
}

test("the facts table shows only known facts, with their units", () => {
  const known = {
    ram_gb: 16,
    storage_gb: 2048,
    screen_inches: 13.3,
    screen_width: 2560,
    screen_height: 1600,
    battery_cycles: 0,
    ports: ["USB-C", "HDMI"],
    weight_grams: 1130,
    warranty_until: "2027-02-28",
  };
  expect(rowsOf(known).map(({ label, value }) => [label, value])).toEqual([
    ["Memory", "16 GB"],
    ["Storage", "2 TB"],
    ["Screen", "13.3 inches, 2560 × 1600 pixels"],
    ["Battery", "0 charge cycles"],
    ["Ports", "USB-C, HDMI"],
    ["Weight", "2.5 lb (1.13 kg)"],
    ["Warranty until", "Feb 28, 2027"],
    ["Purchase Year", "2024"],
    ["Use Duration", "18 months"],
    ["Location", "Leeds"],
    ["Date of Post", "Mar 3, 2026"],
  ]);
});

test("a fact row counts as machine-reported only if the machine reported every fact in it", () => {
  const rows = rowsOf(
    { ram_gb: 16, battery_health: 88, battery_cycles: 120, gpu: "Iris Xe" },
    { ram_gb: "machine", battery_health: "machine", battery_cycles: "seller", gpu: "seller" },
  );
  expect(rows.filter(({ isFromMachine }) => isFromMachine).map(({ label }) => label)).toEqual([
    "Memory",
  ]);
});
