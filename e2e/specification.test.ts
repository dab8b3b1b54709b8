import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const project = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(project, path), "utf8");

/** The rows of the document: what each says, and the files said to prove it. */
const rows = new Map(
  read("docs/specification.md")
    .split("\n")
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, row = "", says = "", files = ""]) => [row, { says, files: files.split(", ") }]),
);

/** The rows the tests name, each with the files that name it: a title begins with them, as in `§8.7: …`. */
const proofs = Map.groupBy(
  globSync("{e2e,server,web,contract}/**/*.{e2e,test}.ts", { cwd: project })
    .filter((file) => file !== "e2e/specification.test.ts")
    .sort()
    .flatMap((file) =>
      [...read(file).matchAll(/["'`]§([^"'`:]+)/g)].flatMap(([, named = ""]) =>
        named.split("§").map((row) => ({ row: row.replace(/\$\{.*?\}/g, "").trim(), file })),
      ),
    ),
  ({ row }) => row,
);

describe("the document of the specification", () => {
  test("names the very tests that prove each row", () => {
    const named = Object.fromEntries([...rows].map(([row, { files }]) => [row, files]));
    const proving = Object.fromEntries(
      [...proofs].map(([row, found]) => [row, [...new Set(found.map(({ file }) => file))]]),
    );
    expect(named).toEqual(proving);
  });

  test("has every message word for word in a test that proves it", () => {
    const messages = [...rows].filter(([row]) => /^[58]/.test(row)).flatMap(messagesOf);
    expect(messages.length).toBeGreaterThan(15);
    for (const { message, files } of messages) {
      const tested = files.map((file) => read(file).replaceAll(/\$\{[^}]*\}/g, "{name}")).join();
      expect(tested).toContain(message);
    }
  });

  test("leaves no test out: none is skipped, marked as failing, or run alone", () => {
    const files = new Set([...proofs.values()].flat().map(({ file }) => file));
    const left = [...files].filter((file) =>
      /\.(skip|fixme|fail|fails|only|todo)\b/.test(read(file)),
    );
    expect(left).toEqual([]);
  });
});

/** What a row quotes, as in "required: Name is Required.", with the files that prove it. */
function messagesOf([, { says, files }]: [string, { says: string; files: string[] }]) {
  return says
    .replace(/^[a-z][^:]*: /, "")
    .split(" with ")
    .filter((piece) => /^[A-Z]/.test(piece))
    .map((message) => ({ message, files }));
}
