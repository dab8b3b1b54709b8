import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Import rules, checked by `npm run check`. `from` and `to` match paths from the repository root; a package
 * is matched by its name. `but` exempts importing files, `unless` imported ones.
 */
type Rule = { says: string; from: RegExp; but?: RegExp; to: RegExp; unless?: RegExp };

const tests = /\.test\.ts$|\/testing\//;
const vendors = /^(better-auth|stripe|nodemailer|@aws-sdk\/)/;

const rules: Rule[] = [
  {
    says: "contract imports only zod",
    from: /^contract\//,
    to: /./,
    unless: /^contract\/|^zod$/,
  },
  {
    says: "web imports neither server nor sandbox nor demo",
    from: /^web\//,
    to: /^(server|sandbox|demo)\//,
  },
  {
    says: "server imports neither web nor sandbox",
    from: /^server\//,
    to: /^(web|sandbox)\//,
  },
  {
    says: "sandbox imports only the contract",
    from: /^sandbox\//,
    but: tests,
    to: /^(web|server|demo)\//,
  },
  {
    says: "only main.ts imports the demo",
    from: /^server\//,
    but: /^server\/main\.ts$/,
    to: /^demo\//,
  },
  {
    says: "routes.ts does not use the database",
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
    says: "verbs do not use HTTP",
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
    says: "adapters do not import features; features connect to them by hooks",
    from: /^server\/adapters\//,
    but: tests,
    to: /^server\/features\//,
  },
  {
    says: "only adapters import vendor packages",
    from: /^server\//,
    but: /^server\/adapters\/[^/]+\/|\.test\.ts$|\/testing\//,
    to: vendors,
  },
  {
    says: "ui imports no features, pages or calls",
    from: /^web\/ui\//,
    to: /^web\/(features|pages|api|auth)\//,
  },
];

const files = globSync("{contract,server,sandbox,web,demo}/**/*.{ts,tsx}");
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const problems = [...brokenRules(), ...importsBetweenWebFeatures(), ...cycles()];
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} broken import rules`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** A file's imports: paths from the repository root, or package names. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const statements = text.matchAll(
    /^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...statements].map(([, fixed, dynamic]) => resolve(file, fixed ?? dynamic ?? ""));
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

/** Pages combine web features; features do not import each other. */
function importsBetweenWebFeatures(): string[] {
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
