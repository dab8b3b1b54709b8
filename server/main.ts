import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { stripeCards } from "./adapters/cards/stripe.ts";
import { hostedServices, needsSandbox } from "./adapters/hosted-services.ts";
import { embeddedIdentity } from "./adapters/identity/embedded.ts";
import { passwordHashing } from "./adapters/identity/password-hashing/password-hashing.ts";
import { openScryptThreads } from "./adapters/identity/password-hashing/scrypt-threads.ts";
import { reencryptSecondFactors } from "./adapters/identity/reencrypt-second-factors.ts";
import { diskImages } from "./adapters/images/disk.ts";
import { smtpMail } from "./adapters/mail/smtp.ts";
import { type Sandbox, startSandbox } from "./adapters/sandbox-process.ts";
import { buildApp } from "./app.ts";
import { systemClock } from "./clock.ts";
import { type Config, readConfig } from "./config.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded-postgres/embedded-postgres.ts";
import { migrate } from "./db/migrate.ts";
import { createRateLimiter } from "./db/rate-limits.ts";
import type { Deps } from "./deps.ts";
import { createEmailQueue } from "./features/email/queue-email.ts";
import { identityHooks } from "./features/identity/identity-hooks.ts";
import { requireFreePort } from "./http/free-port.ts";
import { redact, redactConsole } from "./http/logging.ts";
import { backlog } from "./http/timeouts.ts";
import { registerPages } from "./pages/register-pages.ts";
import { startCacheInvalidation } from "./public-cache/cache-invalidation.ts";
import { PublicCache } from "./public-cache/public-cache.ts";
import { withSecret } from "./settings/development-secret.ts";
import { startWorker } from "./worker.ts";

/** How to stop what has been started, in the order it was. */
const started: (() => Promise<unknown>)[] = [];

async function start(settings: Config): Promise<void> {
  await requireFreePort("PORT", settings);
  const url = settings.databaseUrl ?? (await startPostgres(settings));
  const config = await withSecret(settings);
  await migrate(url);
  const { db, pool } = openDatabase(url);
  started.push(() => pool.end());
  if (config.production) await refuseDemoAccounts(db);

  const services = hostedServices(config, await openSandbox(config));
  const rateLimiter = createRateLimiter(pool, config);
  const scrypt = openScryptThreads();
  started.push(() => scrypt.close());
  const passwords = passwordHashing(scrypt, config.scryptCost);
  const hooks = identityHooks({ db, config, rateLimiter, clock: systemClock });
  const deps: Deps = {
    config,
    db,
    clock: systemClock,
    cards: stripeCards(services.stripe),
    identity: embeddedIdentity(db, {
      ...{ ...config, rateLimiter, passwords, hooks },
      google: services.google,
      clock: systemClock,
    }),
    images: diskImages(join(config.dataDir, "images")),
    mail: smtpMail(services.smtp),
    queueEmail: createEmailQueue({
      clock: systemClock,
      rateLimit: config.rateLimit,
      warn: (what, message) => app.log.warn(what, message),
    }),
    rateLimiter,
    publicCache: new PublicCache(),
  };
  const app = await buildApp(deps);
  await reencrypt(deps, app.log);
  await registerPages(app, deps);
  started.push(await startCacheInvalidation(url, deps.publicCache, app.log));
  // Before jobs are done: the demo's holds ran out in the past it tells of.
  if (config.demo) await loadDemo(deps);
  const worker = await startWorker(deps, pool, app.log);
  started.push(() => worker.stop());
  await listen(app, config);
}

/** After `SECRET` has changed, what is stored encrypted follows. */
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

/** A data folder that once showed the demo has accounts whose password everybody knows. */
async function refuseDemoAccounts(db: Database["db"]): Promise<void> {
  const known = await db
    .selectFrom("members")
    .select("email")
    .where("email", "like", "%@demo.test")
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (!known) return;
  throw new Error(
    `Not started in production: ${known.email} is a demo account. Set DATA_DIR or DATABASE_URL to a place where the demo never ran.`,
  );
}

async function startPostgres({ dataDir }: Config): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, report: complain });
  started.push(() => postgres.stop());
  return postgres.url;
}

async function openSandbox(config: Config): Promise<Sandbox | undefined> {
  if (!needsSandbox(config)) return undefined;
  const { host, sandboxPort: port, dataDir, origins } = config;
  await requireFreePort("SANDBOX_PORT", { host, port });
  const webhookUrl = `http://${host}:${config.port}/api/webhooks/stripe`;
  const sandbox = await startSandbox({ host, port, dataDir, webhookUrl, origins });
  started.push(() => sandbox.stop());
  return sandbox;
}

async function loadDemo(deps: Deps): Promise<void> {
  const demo = await import("../demo/load.ts");
  await demo.loadDemo(deps, say);
}

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  started.push(() => app.close());
  await app.listen({ host: config.host, port: config.port, backlog });
  say(`Secondlap is ready at ${config.publicUrl}`);
}

/** Lets requests in flight finish, then stops everything in the opposite order. */
async function stop(code: number): Promise<void> {
  process.exitCode = code;
  for (const end of started.reverse()) await end().catch((error: Error) => say(error.message));
  process.exit();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(line: string): void {
  process.stderr.write(`${redact(line)}\n`);
}

redactConsole();
process.on("uncaughtException", (error) => {
  complain(error.stack ?? String(error));
  process.exit(1);
});

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
  // Stopped while it was starting, it has only lost what it was starting with.
  if (!stopping) {
    complain(error instanceof Error ? error.message : String(error));
    await stop(1);
  }
}
