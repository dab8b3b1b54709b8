import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * The import rules of the design, checked by `npm run check`: which world and which file may know which.
 * `from` and `to` are matched against paths from the project's folder; a package is its name.
 */
type Rule = { says: string; from: RegExp; but?: RegExp; to: RegExp; unless?: RegExp };

const tests = /\.test\.ts$|\/testing\//;
const vendors = /^(better-auth|stripe|nodemailer|@aws-sdk\/)/;

const rules: Rule[] = [
  {
    says: "contract depends on zod alone",
    from: /^contract\//,
    to: /./,
    unless: /^contract\/|^zod$/,
  },
  {
    says: "web knows the contract, not the server or the sandbox",
    from: /^web\//,
    to: /^(server|sandbox|demo)\//,
  },
  {
    says: "server knows the contract, not the web app or the sandbox",
    from: /^server\//,
    to: /^(web|sandbox)\//,
  },
  {
    says: "sandbox knows the contract, not the rest",
    from: /^sandbox\//,
    but: tests,
    to: /^(web|server|demo)\//,
  },
  {
    says: "only main.ts loads the demo",
    from: /^server\//,
    but: /^server\/main\.ts$/,
    to: /^demo\//,
  },
  {
    says: "routes.ts leaves the database to its verbs",
    from: /\/routes\.ts$/,
    to: /^server\/db\/|^kysely$|^pg$/,
    unless: /(database|rate-limits)\.ts$/,
  },
  {
    says: "only app.ts registers routes",
    from: /^server\//,
    but: /^server\/app\.ts$/,
    to: /^server\/features\/.*\/routes\.ts$/,
  },
  {
    says: "verbs never speak HTTP",
    from: /^server\/features\/(?!.*(routes|\.test)\.ts$)/,
    to: /^fastify|^@fastify\/|^server\/(http|app\.ts)/,
  },
  {
    says: "only main.ts, the admin command and tests choose adapters",
    from: /^server\/(?!adapters\/)/,
    but: /^server\/(main|cli\/admin)\.ts$|\.test\.ts$|\/testing\//,
    to: /^server\/adapters\/[^/]+\/(?!port\.ts)/,
  },
  {
    says: "adapters know no features; features connect to them by hooks",
    from: /^server\/adapters\//,
    but: tests,
    to: /^server\/features\//,
  },
  {
    says: "only adapters know vendors",
    from: /^server\//,
    but: /^server\/adapters\/[^/]+\/|\.test\.ts$|\/testing\//,
    to: vendors,
  },
  {
    says: "ui knows no features, pages or calls",
    from: /^web\/ui\//,
    to: /^web\/(features|pages|api|auth)\//,
  },
];

const files = globSync("{contract,server,sandbox,web,demo}/**/*.{ts,tsx}");
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const problems = [...brokenRules(), ...featuresThatKnowEachOther(), ...cycles()];
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} broken import rules`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** What a file imports, resolved: a path from the project's folder, or a package as it is named. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const statements = text.matchAll(
    /^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...statements].map(([, still, lazy]) => resolve(file, still ?? lazy ?? ""));
}

function resolve(file: string, name: string): string {
  if (name.startsWith("#")) return name.slice(1);
  if (!name.startsWith(".")) return name;
  return relative(".", join(dirname(file), name));
}

function brokenRules(): string[] {
  return rules.flatMap(({ says, from, but, to, unless }) =>
    [...imports]
      .filter(([file]) => from.test(file) && !but?.test(file))
      .flatMap(([file, named]) =>
        named
          .filter((one) => to.test(one) && !unless?.test(one))
          .map((one) => `${file} imports ${one}: ${says}`),
      ),
  );
}

/** Web features are put together by pages. */
function featuresThatKnowEachOther(): string[] {
  const feature = (path: string) => /^web\/features\/([^/]+)\//.exec(path)?.[1];
  return [...imports].flatMap(([file, named]) =>
    named
      .filter((one) => feature(file) && feature(one) && feature(file) !== feature(one))
      .map((one) => `${file} imports ${one}: web features never import each other`),
  );
}

function cycles(): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: string[]) => {
    if (trail.includes(file)) {
      found.push(`a cycle: ${[...trail.slice(trail.indexOf(file)), file].join(" → ")}`);
      return;
    }
    if (done.has(file)) return;
    for (const next of imports.get(file) ?? [])
      if (imports.has(next)) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}
