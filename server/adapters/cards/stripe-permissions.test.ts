import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const sources = globSync("stripe*.ts", { cwd: import.meta.dirname })
  .filter((name) => !name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"));

const operations = readFileSync(
  join(import.meta.dirname, "../../../docs/operations.md"),
  "utf8",
).split("\n## ");
const section = operations.find((one) => one.startsWith("A restricted key of Stripe")) ?? "";
const rows = [...section.matchAll(/^\| ([A-Z][\w ]+) \| (read|write) \| (.*) \|$/gm)];
const documented = new Map(
  rows.map(([, resource = "", right = "", use = ""]) => [resource, { right, use }]),
);

const reading = ["list", "listReversals", "retrieve"];

/** Names in Stripe's dashboard that differ from the library's. */
const resources: Record<string, string> = {
  refunds: "Charges and Refunds",
  balanceTransactions: "Balance Transaction Sources",
};

function resourceOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`);
  return resources[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

test("docs/operations.md lists exactly the permissions that the shop's Stripe calls need", () => {
  const calls = sources.flatMap((text) => [
    ...text.matchAll(/\b(?:stripe\.v2\.core|v2\.core|stripe)\.(\w+)\.(\w+)\(/g),
  ]);
  expect(calls.length).toBeGreaterThan(25);
  const needed = new Map<string, string>();
  for (const [, name = "", method = ""] of calls) {
    const resource = resourceOf(name);
    const isReading = reading.includes(method) && needed.get(resource) !== "write";
    needed.set(resource, isReading ? "read" : "write");
  }
  const rights = [...documented].map(([resource, { right }]) => [resource, right]);
  expect(Object.fromEntries(rights)).toEqual(Object.fromEntries(needed));
});

test("docs/operations.md states which resources the shop reads from connected accounts", () => {
  const calls = sources.flatMap((text) => [
    ...text.matchAll(/stripe\.(\w+)\.\w+\([^;(]*\{ stripeAccount \}/g),
  ]);
  const connected = new Set(calls.map(([, name = ""]) => resourceOf(name)));
  expect(connected.size).toBe(2);
  const named = [...documented].filter(([, { use }]) => use.includes("of connected accounts"));
  expect(named.map(([resource]) => resource).toSorted()).toEqual([...connected].toSorted());
});
