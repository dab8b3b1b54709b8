import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProofs, readRequirements, specification } from "../scripts/specification.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const markdown = read("docs/specification.md");
const requirements = readRequirements(markdown);
const proofs = findProofs();

/** The specification's fixed texts, which are bold. `{name}` in a text can be any value. */
const fixedTexts = [...requirements].flatMap(([number, text]) =>
  [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, fixed = ""]) => ({ number, fixed })),
);

describe("docs/specification.md", () => {
  test("the specification numbers every requirement once and lists the test files that cite it", () => {
    const numbers = markdown.match(/^- \d[\d.]*/gm) ?? [];
    expect(numbers.length).toBeGreaterThan(170);
    expect(numbers).toHaveLength(requirements.size);
    expect(specification(markdown)).toBe(markdown);
  });

  test("every requirement has a test, and every requirement number cited by a test exists", () => {
    expect([...proofs.keys()].sort()).toEqual([...requirements.keys()].sort());
  });

  test("every section or requirement number cited in the code exists in the specification", () => {
    const sections = [...markdown.matchAll(/^##+ ([\d.]+?)\.? /gm)].map(([, number]) => number);
    const known = new Set([...sections, ...requirements.keys()]);
    const cited = globSync("{contract,server,web,e2e,sandbox,security,faults}/**/*.{ts,tsx}", {
      cwd: root,
    }).flatMap((file) =>
      [...read(file).matchAll(/\bspecification (\d[\d.]*\d|\d)|§(\d[\d.]*\d|\d)/g)].map(
        ([, words, sign]) => ({ file, number: words ?? sign }),
      ),
    );
    expect(cited.length).toBeGreaterThan(200);
    expect(cited.filter(({ number }) => !known.has(number))).toEqual([]);
  });

  test("every fixed text in the specification appears in the product", () => {
    const product = globSync("{contract,web}/**/*.{ts,tsx}", { cwd: root })
      .filter(
        (file) => !/\.test\.ts$|pages\/ui\.tsx$|\/features\/home\/slide-illustrations/.test(file),
      )
      .map((file) => visibleText(read(file)))
      .join("\n");
    expect(fixedTexts.length).toBeGreaterThan(95);
    const missing = fixedTexts.filter(({ fixed }) => !mentions(product, fixed));
    expect(missing).toEqual([]);
  });

  test("every fixed text in sections 5 and 8 appears in a test that cites its requirement", () => {
    const messages = fixedTexts.filter(({ number }) => /^[58]\./.test(number));
    expect(messages.length).toBeGreaterThan(15);
    for (const { number, fixed } of messages) {
      const tests = (proofs.get(number) ?? []).map((file) => visibleText(read(file))).join("\n");
      expect(tests).toContain(visibleText(fixed));
    }
  });

  test("every test that proves a requirement runs: none is skipped, marked as failing, or run alone", () => {
    const left = [...proofs.values()]
      .flat()
      .filter((file) => /\.(skip|fixme|fail|fails|only|todo)\b/.test(read(file)));
    expect(left).toEqual([]);
  });
});

/** Collapses whitespace, removes inline tags, and writes `{}` for every value. */
function visibleText(source: string): string {
  return source
    .replaceAll(/<\/?(strong|em|span)\b[^<>]*>/g, "")
    .replaceAll(/\$?\{[\w.()]*\}/g, "{}")
    .replaceAll(/\s+/g, " ");
}

/** Whether `product` has the text. The text's first or last word may be a value: `Pay ${x}`. */
function mentions(product: string, fixed: string): boolean {
  const text = visibleText(fixed).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const [first = "", ...others] = text.split(" ");
  const last = others.pop();
  const orValue = (word: string) => `(?:${word}|\\{\\})`;
  const [begin, middle, end] = [orValue(first), others.join(" "), orValue(last ?? "")];
  const words =
    others.length > 0
      ? `(?:${begin} ${middle} ${last}|${first} ${middle} ${end})`
      : [last === undefined ? first : begin, ...(last === undefined ? [] : [last])].join(" ");
  return new RegExp(`(?<![\\w$])${words}(?!\\w)`).test(product);
}
