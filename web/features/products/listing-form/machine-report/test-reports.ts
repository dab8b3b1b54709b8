import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type ReportFixture = { text: string; facts: Record<string, string | number> };

/** Entries in `test-reports/*.txt`: name, facts, and the text or changes to another report. */
export const reports: Record<string, ReportFixture> = {};

const folder = join(import.meta.dirname, "test-reports");
for (const file of readdirSync(folder)) {
  const parts = readFileSync(join(folder, file), "utf8").split(/^=== /m).slice(1);
  for (const part of parts) {
    const entry = /^([^\n]+)\n(.+?)\n---(?: like ([^\n]+))?\n(.*)\n$/s.exec(part);
    if (!entry) throw new Error(`${file} has an entry that can't be read: ${part}`);
    const [, name = "", facts = "", base, text = ""] = entry;
    reports[name] = {
      text: base === undefined ? text : changed(fixture(base).text, text),
      facts: Object.fromEntries(facts.split(/;\s/).map(readFact)),
    };
  }
}

addVariants("inxi-plain", {
  "inxi-terminal-colours": (text) => text.replaceAll(/(\S+:) /g, "\u001b[1;34m$1\u001b[0;37m "),
  "inxi-irc-colours": (text) => text.replaceAll(/(\S+:) /g, "\u000312$1\u0003 "),
});
addVariants("lshw-lenovo", {
  "lshw-object": (text) => text.slice(1, -1),
  "lshw-missing-commas": (text) => text.replaceAll("},\n", "}\n"),
  "lshw-trailing-commas": (text) => text.replaceAll("}\n", "},\n"),
});
addVariants("systeminfo-msi", {
  "systeminfo-crlf": (text) => text.replaceAll("\n", "\r\n"),
});

/** Each version states the same facts in another notation. */
function addVariants(base: string, notations: Record<string, (text: string) => string>): void {
  const { text, facts } = fixture(base);
  for (const [name, write] of Object.entries(notations))
    reports[name] = { text: write(text), facts };
}

export function fixture(name: string): ReportFixture {
  const report = reports[name];
  if (!report) throw new Error(`There is no report ${name}.`);
  return report;
}

/** Applies lines such as `8 GB => 16 GB` and `cut at </Batteries>` to a report. */
function changed(text: string, changes: string): string {
  return changes.split("\n").reduce((report, change) => {
    const cut = change.startsWith("cut at ");
    const [old = "", next = ""] = cut ? [change.slice(7)] : change.split(" => ");
    if (!report.includes(old)) throw new Error(`The report doesn't contain ${old}.`);
    if (cut) return report.slice(0, report.indexOf(old));
    return report.replaceAll(old, next.replaceAll("\\n", "\n"));
  }, text);
}

function readFact(line: string): [name: string, value: string | number] {
  const [name = "", value = ""] = line.split(": ");
  return [name, /^[\d.]+$/.test(value) ? Number(value) : value];
}
