import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { readConfig } from "../../server/config.ts";
import { CurrentShop } from "../../server/current-shop.ts";
import { openDatabase } from "../../server/db/database.ts";
import { startEmbeddedPostgres } from "../../server/db/embedded-postgres/embedded-postgres.ts";
import { migrate } from "../../server/db/migrate.ts";
import { createEmailQueue } from "../../server/email/queue-email.ts";
import { bookProduct } from "../../server/features/deals/book-product.ts";
import { bareClient, httpClient, verbClient } from "./booking-clients.mjs";
import { createOrders, tokensOf } from "./booking-orders.mjs";
import { besideProgram } from "./program.mjs";
import { sampleWaitEvents } from "./wait-events.mjs";

const rounds = 3;
const bookingsPerRound = 200;
const warmUpBookings = 100;
const concurrencies = [1, 10, 32];

/**
 * Books first with the server's function, then over HTTP with the worker running. Rounds alternate
 * with a bare `pg` client on the same PostgreSQL, which has production settings.
 */
export async function measureBookings() {
  const dataDir = mkdtempSync(join(tmpdir(), "secondlap-booking-"));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await migrate(postgres.url);
    const { pool } = openDatabase(postgres.url, { connections: 2, statementTimeoutMs: 0 });
    const take = await createOrders(
      pool,
      warmUpBookings + 4 * rounds * bookingsPerRound * concurrencies.length,
    );
    const shop = { url: postgres.url, pool, take };
    await warmUp(shop);
    const inProcess = await compareAll(shop, { name: "verb", open: openVerb });
    // The server's worker should run only jobs from the HTTP bookings.
    await pool.query("truncate job_outbox");
    const secret = randomUUID() + randomUUID();
    const settings = { RATE_LIMIT: "off", DEMO: "0", DATABASE_URL: postgres.url, SECRET: secret };
    const overHttp = await besideProgram(
      ({ site }) => compareAll(shop, { name: "HTTP", open: openHttp({ site, secret }) }),
      settings,
    );
    await pool.end();
    return [...inProcess, ...overHttp];
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Makes bookings and updates the statistics: plans made for empty tables would be slow. */
async function warmUp({ url, pool, take }) {
  const target = openVerb(url, 1);
  await run(target, take(warmUpBookings), 1);
  await target.close();
  await pool.query("vacuum analyze");
}

async function compareAll(shop, target) {
  const rows = [];
  for (const concurrency of concurrencies) rows.push(await compare(shop, target, concurrency));
  return rows;
}

async function compare({ url, pool, take }, { name, open }, concurrency) {
  const bare = openBare(url, concurrency);
  const target = open(url, concurrency);
  const runs = { bare: [], target: [] };
  const stopSampling = sampleWaitEvents(pool);
  for (let round = 0; round < rounds; round += 1) {
    runs.bare.push(await run(bare, take(bookingsPerRound), concurrency));
    runs.target.push(await run(target, take(bookingsPerRound), concurrency));
  }
  const waits = await stopSampling();
  await bare.close();
  await target.close();
  const [floor, ours] = [median(runs.bare, "rate"), median(runs.target, "rate")];
  return {
    through: name,
    connections: concurrency,
    "bookings/s": Math.round(ours),
    "bare pg/s": Math.round(floor),
    ratio: Number((ours / floor).toFixed(2)),
    "p50 ms": Number(median(runs.target, "p50").toFixed(1)),
    "bare p50 ms": Number(median(runs.bare, "p50").toFixed(1)),
    "p99 ms": Number(median(runs.target, "p99").toFixed(1)),
    waits: waits.map(([event, share]) => `${event} ${share} %`).join(", "),
  };
}

async function run({ prepare, book }, orders, concurrency) {
  await prepare?.(orders);
  const times = [];
  const waiting = [...orders];
  const client = async () => {
    for (let order = waiting.pop(); order; order = waiting.pop()) {
      const begun = performance.now();
      await book(order);
      times.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: concurrency }, client));
  const rate = (orders.length * 1000) / (performance.now() - begun);
  times.sort((one, other) => one - other);
  return { rate, p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)] };
}

function openBare(url, connections) {
  const { pool } = openDatabase(url, { connections });
  return { book: bareClient(pool), close: () => pool.end() };
}

export function openVerb(url, connections) {
  const { db, pool } = openDatabase(url, { connections });
  const clock = { now: () => new Date() };
  const config = readConfig({ NODE_ENV: "test", RATE_LIMIT: "off" });
  const shop = new CurrentShop();
  const emailQueue = createEmailQueue({ clock, shop, rateLimit: false, warn() {} });
  const deps = { db, clock, config, emailQueue, shop };
  return { book: verbClient(bookProduct, deps), close: () => pool.end() };
}

const openHttp =
  ({ site, secret }) =>
  (_, connections) => ({
    async prepare(orders) {
      const tokens = await tokensOf(orders, secret);
      for (const [index, order] of orders.entries()) order.token = tokens[index];
    },
    book: httpClient(site, connections),
    async close() {},
  });

function median(runs, name) {
  return runs.map((one) => one[name]).sort((one, other) => one - other)[runs.length >> 1];
}
