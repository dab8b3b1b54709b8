import { existsSync, globSync, readFileSync } from "node:fs";
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

/** The specification itself. A checkout without it beside has nothing to compare, and no test of it. */
const given = join(project, "../shared/specification.md");

if (existsSync(given))
  describe("beside the specification, the document has", () => {
    const specification = readFileSync(given, "utf8");
    const section = (number: number) => specification.split(/^## \d+\. /m)[number] ?? "";
    const bullets = (text: string) => text.split("\n").filter((line) => line.startsWith("- "));
    const written = (start: string) => [...rows.keys()].filter((row) => row.startsWith(start));
    const all = [...rows.values()].map(({ says }) => says).join("\n");

    test("every route", () => {
      const routes = [...section(2).matchAll(/^\| (\/\S*|\*) \|/gm)].map(
        ([, route]) => `2.3 ${route}`,
      );
      expect(routes.length).toBe(13);
      expect(written("2.3 ")).toEqual(expect.arrayContaining(routes));
    });

    test("every call", () => {
      const calls = [...section(7).matchAll(/(GET|POST|PUT|DELETE) (\/[\w/{}-]+)/g)].map(
        ([, method, path]) => `7 ${method} ${path}`,
      );
      expect(new Set(calls).size).toBe(24);
      expect(written("7 ")).toEqual(expect.arrayContaining(calls));
    });

    test("every message, word for word", () => {
      const messages = bullets(section(5) + section(8)).flatMap((line) =>
        line
          .replace(/^- [^:]*: /, "")
          // The full stop of the list of toasts, not of its last one.
          .replace(/(deleted successfully)\.$/, "$1")
          .split(/; | Failure: | with /)
          .filter((piece) => /^[A-Z]/.test(piece)),
      );
      expect(messages.length).toBeGreaterThan(15);
      expect(messages.filter((message) => !all.includes(message))).toEqual([]);
    });

    test("every rule of roles, errors and constants", () => {
      expect(written("6 ")).toHaveLength(bullets(section(6)).length);
      for (const number of [8, 9]) {
        const numbers = written(`${number}.`).map((row) => row.split(" ")[0]);
        expect(new Set(numbers).size).toBe(bullets(section(number)).length);
      }
    });

    test("every entity, and every field a form checks", () => {
      const entities = bullets(section(3)).map(
        (line) => /^- ([^:]+?)(?: as the client.*)?:/.exec(line)?.[1],
      );
      expect(written("3 ")).toEqual(entities.map((entity) => `3 ${entity}`));
      const fields = [
        "productName",
        "resalePrice",
        "originalPrice",
        "purchaseYear",
        "duration",
        "mobileNumber",
        "location",
        "category",
        "condition",
        "productDescription",
      ];
      for (const field of fields) {
        expect(section(5)).toContain(field);
        expect(written("5.3 ")).toContain(`5.3 addProduct.${field}`);
      }
    });
  });
