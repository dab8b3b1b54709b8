import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import { needsSandbox } from "./adapters/hosted-services.ts";
import { reencryptSecondFactors } from "./adapters/identity/reencrypt-second-factors.ts";
import { type Sandbox, startSandbox } from "./adapters/sandbox-process.ts";
import { buildApp } from "./app.ts";
import { systemClock } from "./clock.ts";
import { type Config, readConfig } from "./config.ts";
import { createDeps } from "./create-deps.ts";
import { startEmbeddedPostgres } from "./db/embedded-postgres/embedded-postgres.ts";
import { migrate } from "./db/migrate.ts";
import type { Deps } from "./deps.ts";
import { identityHooks } from "./features/identity/identity-hooks.ts";
import { requireFreePort } from "./http/free-port.ts";
import { redact, redactConsole } from "./http/logging.ts";
import { backlog } from "./http/timeouts.ts";
import { startWorker } from "./jobs/worker.ts";
import { registerPages } from "./pages/register-pages.ts";
import { startCacheInvalidation } from "./public-cache/cache-invalidation.ts";
import { withSecret } from "./settings/development-secret.ts";

/** How to stop what has been started, in the order it was. */
const started: (() => Promise<unknown>)[] = [];

async function start(settings: Config): Promise<void> {
  await requireFreePort("PORT", settings);
  // In parallel with PostgreSQL. A failure is thrown where the sandbox is awaited.
  const sandbox = startSandboxIfNeeded(settings);
  sandbox.catch(() => {});
  const databaseUrl = settings.databaseUrl ?? (await startPostgres(settings));
  const config = await withSecret(settings);
  await migrate(databaseUrl);
  const { deps, pool, close } = createDeps({
    ...{ config, databaseUrl, clock: systemClock },
    sandbox: await sandbox,
    warn: (fields, message) => app.log.warn(fields, message),
  });
  started.push(close);
  if (config.production) await rejectDemoAccounts(deps);
  const app = await buildApp(deps);
  await reencrypt(deps, app.log);
  await registerPages(app, deps);
  // In development the cache stays disabled, so that hot reload shows.
  if (!config.development)
    started.push(await startCacheInvalidation(databaseUrl, deps.publicCache, app.log));
  // Before the worker starts: it would expire the demo's holds, which lie in the past.
  if (config.demo) await loadDemo(deps);
  const worker = await startWorker(deps, pool, app.log);
  started.push(() => worker.stop());
  await listen(app, config);
}

/** Re-encrypts the second factors after `SECRET` has changed. */
async function reencrypt(deps: Deps, log: FastifyInstance["log"]): Promise<void> {
  const { unreadable } = await reencryptSecondFactors(
    { db: deps.db, hooks: identityHooks(deps) },
    deps.config,
  );
  if (unreadable === 0) return;
  log.error(
    { unreadable },
    "Authenticator apps were set up under a SECRET that is neither this one nor PREVIOUS_SECRET. Set PREVIOUS_SECRET to it and start again, or reset each: npm run admin -- reset-second-factor you@example.com",
  );
}

/** A database that once held the demo has accounts with a public password. */
async function rejectDemoAccounts({ db }: Deps): Promise<void> {
  const account = await db
    .selectFrom("members")
    .select("email")
    .where("email", "like", "%@demo.test")
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (!account) return;
  throw new Error(
    `Not started in production: ${account.email} is a demo account. Set DATA_DIR or DATABASE_URL to a place where the demo never ran.`,
  );
}

async function startPostgres({ dataDir }: Config): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, report: printError });
  started.push(() => postgres.stop());
  return postgres.url;
}

async function startSandboxIfNeeded(config: Config): Promise<Sandbox | undefined> {
  if (!needsSandbox(config)) return undefined;
  const { host, sandboxPort: port, dataDir, origins } = config;
  await requireFreePort("SANDBOX_PORT", { host, port });
  const webhookUrl = `http://${host}:${config.port}/api/webhooks/stripe`;
  const sandbox = await startSandbox({ host, port, dataDir, webhookUrl, origins });
  started.push(() => sandbox.stop());
  return sandbox;
}

async function loadDemo(deps: Deps): Promise<void> {
  const { loadDemo: load }: DemoLoader = await import(pathToFileURL(deps.config.demoLoader).href);
  await load(deps, print);
}

type DemoLoader = { loadDemo(deps: Deps, print: (line: string) => void): Promise<void> };

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  started.push(() => app.close());
  await app.listen({ host: config.host, port: config.port, backlog });
  print(`Secondlap is ready at ${config.publicUrl}`);
}

/** Stops everything in reverse order: first the server, which finishes its requests. */
async function stop(code: number): Promise<void> {
  process.exitCode = code;
  for (const end of started.reverse()) await end().catch((error: Error) => print(error.message));
  process.exit();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printError(line: string): void {
  process.stderr.write(`${redact(line)}\n`);
}

redactConsole();
process.on("uncaughtException", (error) => {
  printError(error.stack ?? String(error));
  process.exit(1);
});

// A second signal is ignored: Ctrl-C sends one to the whole process group, and npm forwards another.
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void stop(0);
  });
}

try {
  await start(readConfig());
} catch (error) {
  // While stopping, an error of the interrupted start is expected.
  if (!stopping) {
    printError(error instanceof Error ? error.message : String(error));
    await stop(1);
  }
}
