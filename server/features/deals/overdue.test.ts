import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("only booking-rows.ts compares the end of a hold with the current time", async () => {
  const comparisons = /held_?until["'\s,]*["'(]?\s*(?:<=?|>=?)["',\s$({]*(?:now|at\b|clock|deps)/i;
  const files = globSync("{server,demo}/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  const found: string[] = [];
  for (const file of files) if (comparisons.test(await readFile(file, "utf8"))) found.push(file);
  expect(found).toEqual(["server/features/deals/booking-rows.ts"]);
});
