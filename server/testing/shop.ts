import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { expect, inject } from "vitest";
import { buildSandbox } from "#sandbox/app.ts";
import { readConfig as readSandboxConfig } from "#sandbox/config.ts";
import type { FirebaseSettings } from "../adapters/identity/firebase.ts";
import type { PasswordHashing } from "../adapters/identity/password-hashing/password-hashing.ts";
import { type Sandbox, sandboxEnv } from "../adapters/sandbox-process.ts";
import { allJobs } from "../all-jobs.ts";
import { buildApp } from "../app.ts";
import { type Config, readConfig } from "../config.ts";
import { createDeps } from "../create-deps.ts";
import type { Deps } from "../deps.ts";
import { createTokens, type Tokens } from "../http/access-tokens.ts";
import { backlog } from "../http/request-limits.ts";
import { startWorker } from "../jobs/worker.ts";
import { registerPages } from "../pages/register-pages.ts";
import { startCacheInvalidation } from "../public-cache/cache-invalidation.ts";
import { httpTimeouts } from "../settings/http-and-provider-timeouts.ts";
import { withSecret } from "../settings/secrets.ts";
import { startTracing } from "../tracing/tracing.ts";
import { type CardProvider, cardsOf } from "./cards.ts";
import { type TestClock, testClock } from "./clock.ts";
import { createTestDatabase, dropTestDatabase } from "./create-test-database.ts";
import { freePort } from "./free-port.ts";
import { withDatabase } from "./global-setup.ts";
import { openReplicaReads } from "./replica-reads.ts";

export type Shop = {
  url: string;
  app: FastifyInstance;
  deps: Deps;
  passwords: PasswordHashing;
  pool: pg.Pool;
  databaseUrl: string;
  clock: TestClock;
  tokens: Tokens;
  sandbox: Sandbox | undefined;
  readonly cards: CardProvider;
  close(): Promise<void>;
};

export type ShopOptions = {
  /** Stripe, Google and SMTP. */
  sandbox?: boolean;
  worker?: boolean;
  /** Off by default, because scheduled jobs start on the minute, at any time in a test. */
  cron?: boolean;
  /** Serves the built web app. */
  pages?: boolean;
  env?: Record<string, string>;
  /** Changes settings that no environment variable can change. */
  config?: Partial<Config>;
  /** Sends replica reads to read-only sessions, or to the replica of `npm run test:replicas`. */
  replicaReads?: boolean;
  firebase?: FirebaseSettings["addresses"];
  clock?: TestClock;
  /** A migrated database. By default, a clone of the template. */
  databaseUrl?: string;
  /** Starts another node of this shop, with the same database, secret and clock. */
  beside?: Shop;
};

/** For clients in the shop's process: after a stall, timers fire before arrived data is read. */
const longTimeouts = {
  ...httpTimeouts,
  headers: 120_000,
  body: 120_000,
  afterResponse: 120_000,
  idle: 120_000,
  silence: 120_000,
};

export async function openShop({
  sandbox: withSandbox = false,
  worker = false,
  cron = false,
  pages = false,
  replicaReads = false,
  env = {},
  config: changes = {},
  firebase,
  beside,
  databaseUrl: own,
  clock = beside?.clock ?? testClock(),
}: ShopOptions = {}): Promise<Shop> {
  const closing: (() => Promise<unknown>)[] = [];
  const dataDir = await mkdtemp(join(tmpdir(), "secondlap-shop-"));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const databaseUrl = beside?.databaseUrl ?? own ?? (await createTestDatabase("shop"));
  if (!beside && !own) closing.push(() => dropTestDatabase(databaseUrl));
  const port = await freePort();
  const pooled = pooledAddresses(databaseUrl);
  const settings = readConfig({
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    RATE_LIMIT: "off",
    PASSWORD_HASHING: "quick",
    LOG_LEVEL: "silent",
    // These timeouts are long enough for a busy machine or a stalled disk.
    DATABASE_TIMEOUT: "40",
    SEARCH_TIMEOUT: "5000",
    PORT: String(port),
    ...(beside && { SECRET: beside.deps.config.secret }),
    ...pooled,
    ...env,
  });
  const config = await withSecret({ ...settings, httpTimeouts: longTimeouts, ...changes });
  const sandbox = withSandbox ? await startTestSandbox(config) : undefined;
  if (sandbox) closing.push(() => sandbox.stop());
  const tracing = config.tracing && startTracing({ ...config.tracing, ...config });
  if (tracing) closing.push(() => tracing.stop());
  const replicas = replicaReads ? openReplicaReads(databaseUrl) : undefined;
  if (replicas) closing.push(() => replicas.close());
  const { deps, pool, passwords, close } = createDeps({
    replicas,
    config,
    databaseUrl: pooled.DATABASE_URL ?? databaseUrl,
    clock,
    sandbox,
    firebase,
    warn: (fields, message) => app.log.warn(fields, message),
  });
  closing.push(close);
  const app = await buildApp(deps, { tracing });
  if (pages) await registerPages(app, deps);
  closing.push(() => app.close());
  closing.push(await startCacheInvalidation(databaseUrl, deps, app.log));
  if (worker) {
    const runner = await startWorker(deps, pool, { jobs: allJobs, log: app.log, cron });
    closing.push(() => runner.stop());
  }
  await app.listen({ host: "127.0.0.1", port: config.port, backlog });
  return {
    url: config.publicUrl,
    app,
    deps,
    passwords,
    pool,
    databaseUrl,
    clock,
    // For all members, because creating the cache of verified tokens is slow.
    tokens: createTokens(config, clock),
    sandbox,
    get cards() {
      return cardsOf({ sandbox });
    },
    async close() {
      for (const close of closing.reverse()) await close();
    },
  };
}

/**
 * Reads the page until it has `text`, which was just published. A request sent a second later must
 * get it. How long the response takes doesn't count.
 */
export async function expectWithinSecond(url: string, text: string): Promise<void> {
  const deadline = performance.now() + 1_000;
  for (let isLate = false; !isLate; await wait(50)) {
    isLate = performance.now() >= deadline;
    const page = await (await fetch(url)).text();
    if (isLate) expect(page).toContain(text);
    else if (page.includes(text)) return;
  }
}

/** Only `npm run test:pooler` starts a pooler. */
function pooledAddresses(databaseUrl: string): Record<string, string> {
  const poolerUrl = inject("poolerUrl");
  if (poolerUrl === "") return {};
  const database = new URL(databaseUrl).pathname.slice(1);
  return {
    DATABASE_URL: withDatabase(poolerUrl, database),
    DATABASE_DIRECT_URL: databaseUrl,
  };
}

/** Starts the sandbox in this process, because starting another process takes longer. */
async function startTestSandbox({ dataDir, publicUrl, origins }: Config): Promise<Sandbox> {
  const webhookUrl = `${publicUrl}/api/webhooks/stripe`;
  const settings = { host: "127.0.0.1", port: 0, dataDir, webhookUrl, origins };
  const app = await buildSandbox(readSandboxConfig(sandboxEnv(settings)));
  const url = await app.listen({ host: settings.host, port: settings.port });
  return { url, smtpUrl: app.smtpUrl, stop: () => app.close() };
}
