import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Import rules, checked by `npm run check`. `from` and `to` match paths from the repository root; a package
 * is matched by its name. `but` exempts importing files, `unless` imported ones.
 */
type Rule = { says: string; from: RegExp; but?: RegExp; to: RegExp; unless?: RegExp };

const tests = /\.(test|emulator|varnish|replicas|deploy)\.ts$|\/testing\//;
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
    but: tests,
    to: /^(web|sandbox)\//,
  },
  {
    says: "sandbox imports only the contract",
    from: /^sandbox\//,
    but: tests,
    to: /^(web|server|demo)\//,
  },
  {
    says: "routes.ts does not use the database",
    from: /\/routes\.ts$/,
    to: /^server\/db\/|^kysely$|^pg$/,
    unless: /(database|rate-limiter|member)\.ts$/,
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
    says: "only create-deps.ts, main.ts, process/serve.ts, the commands and tests choose adapters",
    from: /^server\/(?!adapters\/)/,
    but: /^server\/(create-deps|main|process\/serve|cli\/\w+)\.ts$|\.(test|deploy)\.ts$|\/testing\//,
    to: /^server\/adapters\/[^/]+\/(?!([a-z-]+-)?port\.ts)/,
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
    but: /^server\/adapters\/[^/]+\/|\.(test|deploy)\.ts$|\/testing\//,
    to: vendors,
  },
];

/** From low to high: a file imports only from its own layer and from lower ones. */
const serverLayers = [
  /^contract\//,
  /^server\/(errors|clock|fair-queue|version)\.ts$/,
  /^server\/settings\//,
  /^server\/config\.ts$/,
  /^server\/db\//,
  /^server\/adapters\/[^/]+\/([a-z-]+-)?port\.ts$/,
  /^server\/metrics\//,
  /^server\/public-cache\//,
  /^server\/email\//,
  /^server\/deps\.ts$/,
  /^server\/jobs\/(define-jobs|run-parts)\.ts$/,
  /^server\/http\//,
  /^server\/features\//,
  /^server\/adapters\//,
  /^server\/(pages|jobs|backup)\//,
  /^server\/(app|all-jobs|all-opt-outs|create-deps)\.ts$/,
  /^server\/process\//,
  /^server\/(main\.ts$|cli\/)/,
  /^demo\//,
];
const webLayers = [
  /^contract\//,
  /^web\/(paths|page-meta)\.ts$/,
  /^web\/ui\//,
  /^web\/api\//,
  /^web\/auth\//,
  /^web\/features\//,
  /^web\//,
];

const files = globSync("{contract,server,sandbox,web,demo}/**/*.{ts,tsx}");
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const problems = [
  ...brokenRules(),
  ...upwardImports(serverLayers),
  ...upwardImports(webLayers),
  ...importsBetweenWebFeatures(),
  ...cycles(),
  ...folderCircles(),
  ...identitySqlOutsideItsAdapter(),
];
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} broken import rules`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** SQL on the schema `identity` is written in its adapter only (decision 0034). */
function identitySqlOutsideItsAdapter(): string[] {
  const inside = /^server\/(adapters\/identity\/|db\/schema\.ts$)/;
  const sql =
    /"identity\.|\b(from|join|into|update|table) identity\.|identity\.(user|session|account|verification|passkey|"\w+")['"\s]/;
  return globSync("{server,demo,e2e,faults,security}/**/*.{ts,sql}")
    .filter((file) => !inside.test(file) && !/\/(migrations|schema)\//.test(file))
    .filter((file) => sql.test(readFileSync(file, "utf8")))
    .map((file) => `${file} contains SQL on the schema identity: use its port or testing.ts`);
}

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

function upwardImports(layers: RegExp[]): string[] {
  const layerOf = (path: string) => layers.findIndex((layer) => layer.test(path));
  return [...imports]
    .filter(([file]) => !tests.test(file) && layerOf(file) >= 0)
    .flatMap(([file, named]) =>
      named
        .filter((one) => layerOf(one) > layerOf(file))
        .map((one) => `${file} imports ${one}: no import runs upwards`),
    );
}

/** Folders that import each other, directly or through others. Each folder of `features/` counts by itself, and so do the ports. */
function folderCircles(): string[] {
  const folderOf = (path: string) =>
    /[/-]port\.ts$/.test(path) ? "ports" : (/^\w+\/(features\/)?[^/]+/.exec(path)?.[0] ?? path);
  const below = new Map<string, Set<string>>();
  for (const [file, named] of imports) {
    const from = folderOf(file);
    const targets = named.filter((one) => imports.has(one)).map(folderOf);
    if (tests.test(file)) continue;
    for (const to of targets)
      if (to !== from) below.set(from, (below.get(from) ?? new Set()).add(to));
  }
  const reaches = (from: string, wanted: string, seen = new Set<string>()): boolean =>
    [...(below.get(from) ?? [])].some((next) => {
      if (next === wanted) return true;
      if (seen.has(next)) return false;
      return reaches(next, wanted, seen.add(next));
    });
  return [...below].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => reaches(to, from))
      .map((to) => `${from} imports ${to}, which imports it back: no circle between folders`),
  );
}
