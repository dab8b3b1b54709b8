import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import { reencryptSecondFactors } from "../adapters/identity/secret-change.ts";
import type { SandboxAddresses } from "../adapters/sandbox-process.ts";
import { allJobs } from "../all-jobs.ts";
import { buildApp } from "../app.ts";
import { systemClock } from "../clock.ts";
import type { ConfigWithSecret } from "../config.ts";
import { createDeps } from "../create-deps.ts";
import { openDatabase, type Tx } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { isDatabaseUnavailable } from "../db/unavailable.ts";
import type { Deps } from "../deps.ts";
import { failureReason, failureSentence } from "../http/logging.ts";
import { backlog } from "../http/request-limits.ts";
import { enqueue } from "../jobs/job-queue.ts";
import { startWorker } from "../jobs/worker.ts";
import { serveMetrics } from "../metrics/metrics.ts";
import { registerPages } from "../pages/register-pages.ts";
import { startCacheInvalidation } from "../public-cache/cache-invalidation.ts";
import { printError } from "./run-until-signal.ts";

/** Plain data, which can be sent to another process. */
export type Resources = {
  config: ConfigWithSecret;
  databaseUrl: string;
  /** The sandbox that replaces hosted services whose keys are not set. */
  sandbox: SandboxAddresses | undefined;
};

type Started = (stop: () => Promise<unknown>) => void;

/** Runs the shop. Returns a function that drains the app, so that load balancers avoid it. */
export async function serve(
  resources: Resources,
  started: Started,
): Promise<() => Promise<unknown>> {
  const { config, databaseUrl } = resources;
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  await waitForDatabase(resources);
  await migrate(directUrl);
  // Imported only if a trace collector is configured.
  const library = config.tracing && (await import("../tracing/tracing.ts"));
  const tracing = config.tracing && library?.startTracing({ ...config.tracing, ...config });
  if (tracing) started(() => tracing.stop());
  const warnings = collectWarnings();
  const { deps, pool, close } = createDeps({
    ...resources,
    clock: systemClock,
    warn: warnings.warn,
  });
  started(close);
  await rejectFailedRestore(deps);
  if (config.production) await rejectDemoAccounts(deps);
  const app = await buildApp(deps, { tracing });
  warnings.logTo(app.log);
  await reencrypt(deps, app.log);
  await registerPages(app, deps);
  started(await startCacheInvalidation(directUrl, deps, app.log));
  // Loads the demo before the worker starts, because the worker would expire the demo's past holds.
  if (config.demo) await loadDemo(deps, resources);
  for (const job of ["indexListings", "refreshVocabulary"] as const)
    await enqueue(deps.db, job, { payload: {} });
  const worker = await startWorker(deps, pool, { jobs: allJobs, log: app.log });
  started(() => worker.stop());
  started(() => app.close());
  if (config.metrics) started(await serveMetrics(deps.metrics, config.metrics));
  const address = { host: config.host, port: config.port, backlog };
  await app.listen({ ...address, ...(config.workers > 1 && { reusePort: true }) });
  return async () => {
    app.drain();
    await wait(config.shutdownDelayMs);
  };
}

/** Keeps authenticator apps usable after `SECRET` has changed. */
async function reencrypt(deps: Deps, log: FastifyInstance["log"]): Promise<void> {
  const { unreadable } = await reencryptSecondFactors(deps.db, deps.config);
  if (unreadable === 0) return;
  log.error(
    { unreadable },
    "Authenticator apps were set up under a SECRET that is neither this one nor PREVIOUS_SECRET. Set PREVIOUS_SECRET to it and start again, or reset each: npm run admin -- reset-second-factor you@example.com",
  );
}

/** Throws after an unfinished restore: the empty shop would accept new members or load the demo. */
async function rejectFailedRestore({ db }: Deps): Promise<void> {
  const { restoring } = await db
    .selectFrom("backup_status")
    .select("restoring")
    .executeTakeFirstOrThrow();
  if (!restoring) return;
  throw new Error(
    "Not started: a restore into this shop failed or still runs, and the shop is empty. Restore again, or set DATA_DIR or DATABASE_URL to a new place.",
  );
}

/** Demo accounts have a public password. */
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

async function loadDemo(deps: Deps, resources: Resources): Promise<void> {
  const { loadDemoOnce }: DemoLoader = await import(
    pathToFileURL(resources.config.demoLoader).href
  );
  await loadDemoOnce(deps.db, resources);
}

type DemoLoader = { loadDemoOnce(db: Tx, resources: Resources): Promise<void> };

type Log = { warn(fields: object, message: string): void };

/** Stores warnings until `logTo` is called, because some parts start before the log exists. */
export function collectWarnings() {
  const early: Parameters<Log["warn"]>[] = [];
  let warn: Log["warn"] = (fields, message) => void early.push([fields, message]);
  return {
    warn: (fields: object, message: string) => warn(fields, message),
    logTo(log: Log): void {
      warn = (fields, message) => log.warn(fields, message);
      for (const warning of early.splice(0)) warn(...warning);
    },
  };
}

const retryMs = 500;

/**
 * Waits up to four times `DATABASE_TIMEOUT` for each database URL, and then throws the message that
 * `npm run doctor` prints. After a reboot, PostgreSQL may start later than this process.
 */
async function waitForDatabase({ config, databaseUrl }: Resources): Promise<void> {
  const setting = config.databaseUrl === undefined ? "DATA_DIR" : "DATABASE_URL";
  await waitFor(databaseUrl, setting, config.databaseTimeoutMs);
  if (config.databaseDirectUrl !== undefined)
    await waitFor(config.databaseDirectUrl, "DATABASE_DIRECT_URL", config.databaseTimeoutMs);
}

async function waitFor(url: string, setting: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + 4 * timeoutMs;
  const { pool } = openDatabase(url, {
    connections: 1,
    statementTimeoutMs: timeoutMs,
    // This setting works without a pooler too.
    pooled: true,
  });
  try {
    for (let attempt = 1; ; attempt += 1) {
      const error = await pool.query("select 1").then(
        () => undefined,
        (reason: Error) => reason,
      );
      if (!error) return;
      if (!isDatabaseUnavailable(error) || Date.now() > deadline)
        throw new Error(`Database ${failureSentence(error, setting)}`);
      if (attempt === 1)
        printError(
          `Waiting for PostgreSQL, for up to ${(4 * timeoutMs) / 1_000} seconds: ${failureReason(error)}.`,
        );
      await wait(retryMs);
    }
  } finally {
    await pool.end();
  }
}
