import { describe, expect, test } from "vitest";
import { statedFacts } from "#contract/facts.ts";
import { decodeReport, maxReportBytes, readReport } from "./read-report.ts";
import { reports } from "./test-reports.ts";

const texts = Object.values(reports).map(({ text }) => text);

/** Private data of the fixtures: serial numbers, MAC and IP addresses, UUIDs and names. */
const secrets = /PF2QX7K9|00:1a:2b:3c:4d:5e|192\.168\.1\.23|4c4c4544-0042|JANE-PC|jane|Roe/i;

test("there are at least 60 report fixtures, nearly all with private data", () => {
  expect(texts.length).toBeGreaterThanOrEqual(60);
  expect(texts.filter((text) => secrets.test(text)).length).toBeGreaterThan(55);
});

test.each(Object.entries(reports))(
  "report %s gives the expected facts and no private data",
  (_, { text, facts }) => {
    const report = readReport(text);
    expect(report?.facts).toEqual(facts);
    expect(JSON.stringify(report)).not.toMatch(secrets);
    expect(statedFacts.safeParse(facts).error).toBeUndefined();
  },
);

test.each(Object.entries(reports).filter(([name]) => /^(systeminfo|msinfo32)/.test(name)))(
  "report %s can also be read from UTF-16 with a byte order mark",
  (_, { text, facts }) => {
    const littleEndian = Buffer.from(`\ufeff${text}`, "utf16le");
    expect(decodeReport(littleEndian).replace("\ufeff", "")).toBe(text);
    const bigEndian = Buffer.from(littleEndian).swap16();
    expect(readReport(decodeReport(bigEndian))?.facts).toEqual(facts);
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

  test("reading a damaged report takes linear work and gives only valid facts", () => {
    const damaged = texts.flatMap((text) => {
      const other = texts[pick(texts.length)] ?? text;
      const cut = text.slice(0, pick(text.length));
      return [
        cut,
        mutated(text),
        mutated(text),
        mutated(cut),
        cut + other.slice(pick(other.length)),
      ];
    });
    for (const text of damaged) {
      let facts: object | undefined;
      const work = workOf(() => {
        facts = readReport(text)?.facts;
      });
      expect(work).toBeLessThan(60 * text.length + 20_000);
      expect(statedFacts.safeParse(facts ?? {}).error).toBeUndefined();
    }
  });

  test("a missing line break in a report leaks no private data", () => {
    for (const [name, report] of Object.entries(reports)) {
      const lines = report.text.split("\n");
      for (const [at, line] of lines.entries()) {
        if (at === 0 || !secrets.test(line)) continue;
        const joined = [
          ...lines.slice(0, at - 1),
          `${lines[at - 1]} ${line}`,
          ...lines.slice(at + 1),
        ];
        const { facts = {} } = readReport(joined.join("\n")) ?? {};
        expect(JSON.stringify(facts), `${name}, line ${at}`).not.toMatch(secrets);
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

/** Mulberry32: the numbers are the same in each run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
