import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { statedFacts } from "#contract/facts.ts";
import expectedFacts from "./expected-facts.json" with { type: "json" };
import { readReport } from "./read-report.ts";
import { decodeReport, maxReportBytes } from "./report-text.ts";

const folder = join(import.meta.dirname, "fixtures");
const files = readdirSync(folder);
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");

/**
 * Private data in nearly all fixtures: a serial number, a MAC or IP address, a UUID, or the name of
 * a computer or person.
 */
const secrets = /PF2QX7K9|00:1a:2b:3c:4d:5e|192\.168\.1\.23|4c4c4544-0042|JANE-PC|jane|Roe/i;

test("there are at least 60 report fixtures, each with expected facts", () => {
  expect(files.length).toBeGreaterThanOrEqual(60);
  expect(files.toSorted()).toEqual(Object.keys(expectedFacts).toSorted());
  expect(files.filter((file) => secrets.test(textOf(file))).length).toBeGreaterThan(55);
});

test.each(Object.entries(expectedFacts))(
  "report %s gives the expected facts and no private data",
  (file, facts) => {
    const report = readReport(textOf(file));
    expect(report?.facts).toEqual(facts);
    expect(JSON.stringify(report)).not.toMatch(secrets);
    expect(statedFacts.safeParse(facts).error).toBeUndefined();
  },
);

test.each(files.filter((file) => /^(systeminfo|msinfo32)/.test(file)))(
  "report %s is also read in UTF-16 with a byte order mark",
  (file) => {
    const text = textOf(file);
    const littleEndian = Buffer.from(`\ufeff${text}`, "utf16le");
    expect(decodeReport(littleEndian).replace("\ufeff", "")).toBe(text);
    const bigEndian = Buffer.from(littleEndian).swap16();
    expect(readReport(decodeReport(bigEndian))?.facts).toEqual(readReport(text)?.facts);
  },
);

test("text that isn't a report gives no facts", () => {
  for (const text of ["", "hello", "a: b\nc: d", "{}", "[", "\u0000", "<html></html>"])
    expect(readReport(text)).toBeUndefined();
});

describe("damaged and hostile reports", () => {
  /** Counts the characters that regular expressions scan. */
  function workOf(run: () => void): number {
    const { exec } = RegExp.prototype;
    let work = 0;
    RegExp.prototype.exec = function count(text) {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      const match = exec.call(this, text);
      work += (match && this.global ? this.lastIndex : String(text).length) - from;
      return match;
    };
    try {
      run();
    } finally {
      RegExp.prototype.exec = exec;
    }
    return work;
  }

  const random = seededRandom(20_261_122);
  const pick = (max: number) => Math.floor(random() * max);

  function mutated(text: string): string {
    const chars = [...text];
    for (let n = 0; n < 40; n += 1) {
      const at = pick(chars.length);
      const other = String.fromCodePoint([pick(128), pick(0x3000), 0x20, 0x22, 0x7b][pick(5)] ?? 0);
      chars.splice(at, pick(3), ...([other, "", other + other][pick(3)] ?? ""));
    }
    return chars.join("");
  }

  test("a truncated, mutated or mixed report takes linear work, and gives only valid facts", () => {
    const texts = files.flatMap((file) => {
      const text = textOf(file);
      const other = textOf(files[pick(files.length)] ?? file);
      const cut = text.slice(0, pick(text.length));
      return [
        cut,
        mutated(text),
        mutated(text),
        mutated(cut),
        cut + other.slice(pick(other.length)),
      ];
    });
    for (const text of texts) {
      let facts: object | undefined;
      const work = workOf(() => {
        facts = readReport(text)?.facts;
      });
      expect(work).toBeLessThan(60 * text.length + 20_000);
      expect(statedFacts.safeParse(facts ?? {}).error).toBeUndefined();
    }
  });

  test("a report with a lost line break gives no private data", () => {
    for (const file of files) {
      const lines = textOf(file).split("\n");
      for (const [at, line] of lines.entries()) {
        if (at === 0 || !secrets.test(line)) continue;
        const joined = [
          ...lines.slice(0, at - 1),
          `${lines[at - 1]} ${line}`,
          ...lines.slice(at + 1),
        ];
        const { facts = {} } = readReport(joined.join("\n")) ?? {};
        expect(JSON.stringify(facts), `${file}, line ${at}`).not.toMatch(secrets);
      }
    }
  });

  test.each([
    ["brackets", "[".repeat(10)],
    ["objects", '{"class":"system","children":['],
    ["quotes", '"class": "\\" '],
    ["tags", "<td><span>DESIGN CAPACITY"],
    ["open tags", "DESIGN CAPACITY <td <td "],
    ["spaces", "energy-full: 1 \u00a0 "],
    ["digits", "DMI type 1 Size: 1111111111.1,1 "],
    ["colons", "System: A: b: c: "],
    ["headings", "Hardware Overview:\n"],
    ["XML", "<BatteryReport ><Battery><DesignCapacity>"],
    ["names with colors", "\u001b[1;\u0003"],
  ])("reading two million characters of %s takes linear work", (_, part) => {
    const text = part.repeat(Math.ceil(maxReportBytes / part.length));
    expect(workOf(() => readReport(text))).toBeLessThan(60 * text.length);
  });
});

/** Mulberry32, a generator of random numbers that are the same in each run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
