import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** `from` and `to` match paths or packages. `but` exempts importers, `unless` imported files. */
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
    says: "what a shop runs imports nothing of lab",
    from: /^(contract|server|web|sandbox|demo)\//,
    but: tests,
    to: /^lab\//,
  },
  {
    says: "sandbox imports only the contract",
    from: /^sandbox\//,
    to: /^(web|server|demo|lab|e2e|faults|security|scripts)\//,
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
    but: /^server\/adapters\/[^/]+\/|\.(test|deploy)\.ts$|\/testing\//,
    to: vendors,
  },
];

/** Lowest layer first. A file may import only from its own layer and from lower layers. */
const serverLayers = [
  /^contract\//,
  /^server\/(errors|clock|fair-queue|keyed-hash|running-counts|version)\.ts$/,
  /^server\/settings\//,
  /^server\/config\.ts$/,
  /^server\/db\//,
  /^server\/jobs\/job-queue\.ts$/,
  /^server\/adapters\/[^/]+\/port\.ts$/,
  /^server\/metrics\//,
  /^server\/public-cache\//,
  /^server\/email\//,
  /^server\/deps\.ts$/,
  /^server\/jobs\/define-jobs\.ts$/,
  /^server\/http\//,
  /^server\/features\//,
  /^server\/adapters\//,
  /^server\/(pages|jobs|backup)\//,
  /^server\/(app|all-jobs|create-deps)\.ts$/,
  /^server\/process\//,
  /^server\/(main\.ts$|cli\/)/,
  /^demo\//,
  /^lab\/bench\//,
  /^lab\/(?!cluster|bench)/,
  /^lab\/cluster\//,
];
const webLayers = [
  /^contract\//,
  /^web\/(paths|admin-paths|page-meta)\.ts$/,
  /^web\/ui\//,
  /^web\/api\//,
  /^web\/auth\//,
  /^web\/start\//,
  /^web\/domain\//,
  /^web\/features\//,
  /^web\//,
];

const files = globSync("{contract,server,sandbox,web,demo,lab}/**/*.{ts,tsx,mjs}");
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const typesOf = new Map(files.map((file) => [file, typeImportsOf(file)]));
const problems = [
  ...brokenRules(),
  ...upwardImports(serverLayers),
  ...upwardImports(webLayers),
  ...importsBetweenWebFeatures(),
  ...cycles(),
  ...identitySqlOutsideItsAdapter(),
];
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} broken import rules`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Finds SQL for the schema `identity` outside the identity adapter (decisions/identity). */
function identitySqlOutsideItsAdapter(): string[] {
  const inside = /^server\/(adapters\/identity\/|db\/schema\.ts$)/;
  const sql =
    /"identity\.|\b(from|join|into|update|table) identity\.|identity\.(user|session|account|verification|passkey|"\w+")['"\s]/;
  return globSync("{server,demo,e2e,faults,security}/**/*.{ts,sql}")
    .filter((file) => !inside.test(file) && !/\/(migrations|schema)\//.test(file))
    .filter((file) => sql.test(readFileSync(file, "utf8")))
    .map((file) => `${file} contains SQL on the schema identity: use its port or testing.ts`);
}

/** Returns paths from the repository root, or package names. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const statements = text.matchAll(
    /^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...statements].map(([, fixed, dynamic]) => resolve(file, fixed ?? dynamic ?? ""));
}

function typeImportsOf(file: string): string[] {
  const statements = readFileSync(file, "utf8").matchAll(/^import type [^;"]*? from "([^"]+)"/gm);
  return [...statements].map(([, name = ""]) => resolve(file, name));
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

function importsBetweenWebFeatures(): string[] {
  const feature = (path: string) => /^web\/features\/([^/]+)\//.exec(path)?.[1];
  return [...imports].flatMap(([file, named]) =>
    named
      .filter((one) => feature(file) && feature(one) && feature(file) !== feature(one))
      .map((one) => `${file} imports ${one}: web features never import each other`),
  );
}

/** Finds import cycles. Ignores type imports within a folder. */
function cycles(): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: string[]) => {
    if (trail.includes(file)) {
      found.push(`a cycle: ${[...trail.slice(trail.indexOf(file)), file].join(" → ")}`);
      return;
    }
    if (done.has(file)) return;
    const neighborTypes = typesOf.get(file)?.filter((one) => dirname(one) === dirname(file)) ?? [];
    for (const next of imports.get(file) ?? [])
      if (imports.has(next) && !neighborTypes.includes(next)) visit(next, [...trail, file]);
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
