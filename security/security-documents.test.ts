import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

describe.each(["SECURITY.md", "docs/asvs.md"])("%s", (document) => {
  test("the document names only files that exist", () => {
    const named = [...read(document).matchAll(/`([\w./-]+\.(?:tsx?|md|json|sql)|deploy\/\w+)`/g)];
    const files = [...new Set(named.map(([, file = ""]) => file))];
    expect(files.length).toBeGreaterThan(20);
    const missing = files.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)));
    expect(missing).toEqual([]);
  });
});

test("every requirement that docs/asvs.md marks as met or partly met names a test or a file", () => {
  const rows = read("docs/asvs.md")
    .split("\n")
    .filter((line) => /^\| \d+\.\d/.test(line));
  expect(rows.length).toBeGreaterThan(100);
  const open = rows.filter((row) => /\| (met|part)/.test(row) && !/`[\w./-]+\.\w+`/.test(row));
  expect(open).toEqual([]);
});
