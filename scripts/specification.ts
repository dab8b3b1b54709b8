import { globSync, readFileSync } from "node:fs";

type Proof = { file: string; title: string };

const requirement = /^- (\d+(?:\.\d+)+) /;
const proof = /^ {2}- `[^`]+\.ts`: /;

/** Returns the document with each requirement followed by the tests that cite the requirement. */
export function specification(current: string): string {
  const proofs = findProofs();
  return current
    .split("\n")
    .filter((line) => !proof.test(line))
    .flatMap((line) => [line, ...listed(proofs.get(requirement.exec(line)?.[1] ?? ""))])
    .join("\n");
}

function listed(proofs: Proof[] = []): string[] {
  return proofs.map(({ file, title }) => `  - \`${file}\`: ${title}`);
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

/** Finds tests by requirement. Their titles begin with numbers, as in `§8.7 §5.5: asks first`. */
export function findProofs(): Map<string, Proof[]> {
  const found = new Map<string, Proof[]>();
  for (const file of globSync("{contract,e2e,security,server,web}/**/*.{e2e,test}.ts").sort())
    for (const { number, title } of citations(readFileSync(file, "utf8")))
      found.set(number, [...(found.get(number) ?? []), { file, title }]);
  return found;
}

function citations(source: string): { number: string; title: string }[] {
  const titles = source.matchAll(
    /\b(?:test|step|describe)(?:\.each\([^)]*\))?\(\s*(["'`])(.*?)\1,/gs,
  );
  return [...titles].flatMap(([, , whole = ""]) => {
    const [, prefix = "", title = ""] = /^(.*?): (.*)$/s.exec(whole) ?? [];
    const named = prefix.includes("${") ? [...source.matchAll(/["']§([\d.]+)["']/g)] : [];
    const cited = [...prefix.matchAll(/§([\d.]+)/g), ...named];
    if (!/^(§|\$\{)/.test(prefix)) return [];
    const readable = title.replaceAll(/\$\{([^}]*)\}/g, "{$1}");
    return cited.map(([, number = ""]) => ({ number, title: readable }));
  });
}
