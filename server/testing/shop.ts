import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { inject } from "vitest";
import { stripeCards } from "../adapters/cards/stripe.ts";
import { hostedServices } from "../adapters/hosted-services.ts";
import { embeddedIdentity } from "../adapters/identity/embedded.ts";
import {
  type PasswordHashing,
  passwordHashing,
} from "../adapters/identity/password-hashing/password-hashing.ts";
import { openScryptThreads } from "../adapters/identity/password-hashing/scrypt-threads.ts";
import { diskImages } from "../adapters/images/disk.ts";
import { smtpMail } from "../adapters/mail/smtp.ts";
import { type Sandbox, startSandbox } from "../adapters/sandbox-process.ts";
import { buildApp } from "../app.ts";
import { type Config, readConfig } from "../config.ts";
import { openDatabase } from "../db/database.ts";
import { createRateLimiter } from "../db/rate-limits.ts";
import type { Deps } from "../deps.ts";
import { createEmailQueue } from "../features/email/queue-email.ts";
import { identityHooks } from "../features/identity/identity-hooks.ts";
import { backlog } from "../http/timeouts.ts";
import { registerPages } from "../pages/register-pages.ts";
import { startCacheInvalidation } from "../public-cache/cache-invalidation.ts";
import { PublicCache } from "../public-cache/public-cache.ts";
import { withSecret } from "../settings/development-secret.ts";
import { startWorker } from "../worker.ts";
import { type TestClock, testClock } from "./clock.ts";
import { freePort } from "./free-port.ts";
import { template, withDatabase } from "./postgres.ts";

/** A whole shop of a test's own, listening on a port of this machine. */
export type Shop = {
  url: string;
  app: FastifyInstance;
  deps: Deps;
  passwords: PasswordHashing;
  pool: pg.Pool;
  databaseUrl: string;
  clock: TestClock;
  sandbox: Sandbox | undefined;
  close(): Promise<void>;
};

export type ShopOptions = {
  /** Starts the stand-ins of the hosted services too: cards, Google and mail. */
  sandbox?: boolean;
  /** Does jobs, as the running program does. */
  worker?: boolean;
  /** Serves the pages of the web app, as it was built. */
  pages?: boolean;
  env?: Record<string, string>;
};

/** Opens a shop on a database cloned from the migrated template. */
export async function openShop({
  sandbox: withSandbox = false,
  worker = false,
  pages = false,
  env = {},
}: ShopOptions = {}): Promise<Shop> {
  const closing: (() => Promise<unknown>)[] = [];
  const dataDir = await mkdtemp(join(tmpdir(), "secondlap-shop-"));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const url = await cloneDatabase();
  const { db, pool } = openDatabase(url);
  closing.push(() => pool.end());

  const port = await freePort();
  const settings = readConfig({
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    RATE_LIMIT: "off",
    PASSWORD_HASHING: "quick",
    LOG_LEVEL: "silent",
    PORT: String(port),
    ...env,
  });
  const config = await withSecret(settings);
  const clock = testClock();
  const at = config.publicUrl;
  const sandbox = withSandbox ? await startStandIns(config) : undefined;
  if (sandbox) closing.push(() => sandbox.stop());
  const services = hostedServices(config, sandbox);
  const rateLimiter = createRateLimiter(pool, config);
  const scrypt = openScryptThreads();
  closing.push(() => scrypt.close());
  const passwords = passwordHashing(scrypt, config.scryptCost);
  const hooks = identityHooks({ db, config, rateLimiter, clock });
  const deps: Deps = {
    config,
    db,
    clock,
    cards: stripeCards(services.stripe),
    identity: embeddedIdentity(db, {
      ...{ ...config, rateLimiter, passwords, hooks, clock },
      google: services.google,
    }),
    images: diskImages(join(dataDir, "images")),
    mail: smtpMail(services.smtp),
    queueEmail: createEmailQueue({
      clock,
      rateLimit: config.rateLimit,
      warn: (what, message) => app.log.warn(what, message),
    }),
    rateLimiter,
    publicCache: new PublicCache(),
  };
  const app = await buildApp(deps);
  if (pages) await registerPages(app, deps);
  closing.push(() => app.close());
  closing.push(await startCacheInvalidation(url, deps.publicCache, app.log));
  if (worker) {
    const runner = await startWorker(deps, pool, app.log);
    closing.push(() => runner.stop());
  }
  await app.listen({ host: "127.0.0.1", port, backlog });
  return {
    url: at,
    app,
    deps,
    passwords,
    pool,
    databaseUrl: url,
    clock,
    sandbox,
    async close() {
      for (const close of closing.reverse()) await close();
    },
  };
}

async function cloneDatabase(): Promise<string> {
  const server = inject("postgresUrl");
  const name = `shop_${randomUUID().replaceAll("-", "")}`;
  const { pool } = openDatabase(server, { connections: 1 });
  await pool.query(`create database ${name} template ${template}`);
  await pool.end();
  return withDatabase(server, name);
}

async function startStandIns({ dataDir, publicUrl, origins }: Config): Promise<Sandbox> {
  const webhookUrl = `${publicUrl}/api/webhooks/stripe`;
  return await startSandbox({ host: "127.0.0.1", port: 0, dataDir, webhookUrl, origins });
}
