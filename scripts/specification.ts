import { globSync, readFileSync } from "node:fs";

const requirement = /^- (\d+(?:\.\d+)+) /;
const tests = / Tests: (?:`[^`]+`(?:, )?)+\.$/;

/** Returns the document with each requirement followed by the files whose tests cite it. */
export function specification(current: string): string {
  const proofs = findProofs();
  const withTests = (line: string) => {
    const files = proofs.get(requirement.exec(line)?.[1] ?? "");
    const named = files?.map((file) => `\`${file}\``).join(", ");
    return `${line.replace(tests, "")}${named ? ` Tests: ${named}.` : ""}`;
  };
  return current.split("\n").map(withTests).join("\n");
}

export function readRequirements(markdown: string): Map<string, string> {
  const lines = markdown.split("\n");
  return new Map(
    lines.flatMap((line) => {
      const number = requirement.exec(line)?.[1];
      return number ? [[number, line.replace(requirement, "")] as const] : [];
    }),
  );
}

/** Returns the test files of each requirement by its number. */
export function findProofs(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync("{contract,e2e,security,server,web}/**/*.{e2e,test}.ts").sort())
    for (const number of citations(readFileSync(file, "utf8")))
      found.set(number, [...(found.get(number) ?? []), file]);
  return found;
}

function citations(source: string): Set<string> {
  const titles = source.matchAll(
    /\b(?:test|step|describe)(?:\.each\([^)]*\))?\(\s*(["'`])(.*?)\1,/gs,
  );
  const numbers = [...titles].flatMap(([, , title = ""]) => {
    const [prefix = ""] = /^(?:§|\$\{).*?(?=: )/s.exec(title) ?? [];
    const named = prefix.includes("${") ? [...source.matchAll(/["']§([\d.]+)["']/g)] : [];
    return [...prefix.matchAll(/§([\d.]+)/g), ...named];
  });
  return new Set(numbers.map(([, number = ""]) => number));
}
