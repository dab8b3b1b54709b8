import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createPaymentIntent } from "#contract/payments.ts";
import { smtpMail } from "../adapters/mail/smtp.ts";
import { allJobs } from "../all-jobs.ts";
import { reconcileLedger } from "../features/money/reconcile-ledger.ts";
import { settleDeals } from "../features/money/settle-deals.ts";
import { enqueue } from "../jobs/job-queue.ts";
import { startWorker } from "../jobs/worker.ts";
import { type CardProvider, cardsOf, stripeAt } from "../testing/cards.ts";
import { deal } from "../testing/deal.ts";
import { freePort } from "../testing/free-port.ts";
import { bookLaptop, listing, price } from "../testing/marketplace.ts";
import { member, type Person } from "../testing/people.ts";
import { startPrometheus, type TestPrometheus } from "../testing/prometheus.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { endConnections, openTestDatabase } from "../testing/test-connections.ts";
import { serveMetrics } from "./metrics.ts";

let shop: Shop;
let cards: CardProvider;
let seller: Person;
let rules: string;
let prometheus: TestPrometheus;
const scraped: number[] = [];

async function serveTo(metrics: Shop["deps"]["metrics"]): Promise<() => Promise<void>> {
  const port = await freePort();
  const stop = await serveMetrics(metrics, { host: "127.0.0.1", port });
  scraped.push(port);
  await prometheus.scrape(scraped);
  return stop;
}

async function forgetLast(): Promise<void> {
  scraped.pop();
  await prometheus.scrape(scraped);
}

beforeAll(async () => {
  shop = await openShop({ sandbox: true });
  cards = cardsOf(shop);
  seller = await member(shop, { accountType: "seller" });
  rules = await readFile(new URL("../../deploy/prometheus/alerts.yml", import.meta.url), "utf8");
  prometheus = await startPrometheus(quick(rules));
  await serveTo(shop.deps.metrics);
});
afterAll(async () => {
  await prometheus.stop();
  await shop.close();
});

/** Shortens waits to a second and ranges to ten seconds, so that alerts fire within a test. */
function quick(text: string): string {
  return text.replaceAll(/\bfor: \w+/g, "for: 1s").replaceAll(/\[\d+m\]/g, "[10s]");
}

function repeat(work: () => Promise<unknown>, pauseMs = 20): () => Promise<void> {
  let isStopped = false;
  const working = (async () => {
    while (!isStopped) {
      await work().catch(() => {});
      await wait(pauseMs);
    }
  })();
  return async () => {
    isStopped = true;
    await working;
  };
}

const ask = (path: string) => fetch(`${shop.url}${path}`).then((answer) => answer.text());

function cutConnections(which?: string): Promise<() => Promise<void>> {
  const outage = { administratorUrl: inject("postgresUrl"), databaseUrl: shop.databaseUrl };
  return endConnections(outage, { refuse: true, ...(which && { which }) });
}

const email = { to: "ada@example.com", subject: "Hello", text: "Hello", html: "Hello" };

/** Backdates a task's jobs, because a test can't wait for minutes. No worker runs meanwhile. */
async function delayJobs(task: string, minutes: number): Promise<() => Promise<unknown>> {
  const { pool } = shop;
  await pool.query(
    "update job_outbox set run_at = now() - make_interval(mins => $1) where task = $2",
    [...[minutes, task]],
  );
  return () => pool.query("delete from job_outbox");
}

async function failToSend(): Promise<() => Promise<unknown>> {
  const { deps, pool, app } = shop;
  const url = `smtp://127.0.0.1:${await freePort()}`;
  const mail = smtpMail({ url, from: "shop@example.com", inboxUrl: null });
  const worker = await startWorker({ ...deps, mail }, pool, {
    jobs: allJobs,
    log: app.log,
    cron: false,
  });
  const left = async () => {
    const { rows } = await pool.query(
      `select task from job_outbox where task = 'sendMail' union all
      select task_identifier from graphile_worker.jobs
      where task_identifier = 'sendMail' and (last_error is null or locked_at is not null)`,
    );
    return rows;
  };
  await expect.poll(left).toEqual([]);
  await worker.stop();
  return () => pool.query("delete from graphile_worker._private_jobs");
}

/** Causes by alert, with a suffix for a second cause. Each returns a function to end the cause. */
const causes: Record<string, () => Promise<() => unknown>> = {
  async SecondlapNodeDown() {
    const stop = await serveTo(shop.deps.metrics);
    await stop();
    return forgetLast;
  },
  async SecondlapJobsGivenUp() {
    // Allows only one attempt, so that the job is given up immediately.
    await shop.pool.query(
      "select graphile_worker.add_job('sendMail', $1::json, max_attempts => 1)",
      [JSON.stringify(email)],
    );
    return await failToSend();
  },
  async SecondlapJobsLate() {
    await enqueue(shop.deps.db, "offerPasswordReset", { payload: { email: "a@example.com" } });
    return await delayJobs("offerPasswordReset", 6);
  },
  async "SecondlapMailLate, because no node sends the emails"() {
    await enqueue(shop.deps.db, "sendMail", { payload: email });
    return await delayJobs("sendMail", 16);
  },
  async "SecondlapMailLate, because the mail server accepts no emails"() {
    await enqueue(shop.deps.db, "sendMail", { payload: email });
    const end = await failToSend();
    await shop.pool.query(
      "update graphile_worker._private_jobs set created_at = created_at - interval '61 minutes'",
    );
    return end;
  },
  async SecondlapRefundsSentBack() {
    const sale = await deal(shop, "paid", { seller });
    await sale.refund(await member(shop, { isAdmin: true }));
    await settleDeals(shop.deps);
    await sale.returnRefund();
    await sale.refresh();
    return () => settleDeals(shop.deps);
  },
  async SecondlapLedgerDiffers() {
    const stripe = stripeAt(shop.sandbox?.url ?? "");
    const { id } = await stripe.paymentIntents.create({ amount: 5_000, currency: "usd" });
    await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
    await reconcileLedger(shop.deps);
    return () => {};
  },
  async SecondlapBackupLate() {
    const hours = 31;
    const at = new Date(shop.clock.now().getTime() - hours * 3_600_000);
    await shop.pool.query("update backup_status set backed_up_at = $1", [at]);
    return () => shop.pool.query("update backup_status set backed_up_at = now()");
  },
  async SecondlapHoldsOverdue() {
    await bookLaptop(await member(shop), await listing(seller));
    shop.clock.advance(24 * 60 + 6);
    return () => {};
  },
  async SecondlapLedgerNotCompared() {
    shop.clock.advance(31 * 60);
    return () => {};
  },
  async SecondlapProviderFails() {
    const path = "/v1/payment_intents/:id";
    await cards.injectFaults({ failNext: { method: "GET", path, status: 500, times: 999 } });
    const stop = repeat(() => shop.deps.cards.findIntent("pi_any"));
    return async () => {
      await cards.injectFaults({});
      await stop();
    };
  },
  async SecondlapProviderSlow() {
    await cards.injectFaults({ delayMs: 4_500 });
    const stops = Array.from({ length: 5 }, () =>
      repeat(() => shop.deps.cards.findIntent("pi_any")),
    );
    return async () => {
      await cards.injectFaults({});
      for (const stop of stops) await stop();
    };
  },
  async SecondlapEventLoopBlocked() {
    return repeat(async () => {
      const until = performance.now() + 400;
      while (performance.now() < until);
    });
  },
  async SecondlapCacheMisses() {
    let count = 0;
    const miss = () => ask(`/api/products/byId/${crypto.randomUUID()}?n=${count++}`);
    const stops = Array.from({ length: 4 }, () => repeat(miss, 5));
    return async () => {
      for (const stop of stops) await stop();
    };
  },
  async SecondlapSlowAnswers() {
    const holder = openTestDatabase(shop.databaseUrl, 1);
    const client = await holder.pool.connect();
    const stop = repeat(async () => {
      await client.query("begin; lock table products in access exclusive mode");
      const asking = ask(`/api/products/byId/${crypto.randomUUID()}`);
      await wait(1_500);
      await client.query("rollback");
      await asking;
    });
    return async () => {
      await stop();
      client.release();
      await holder.pool.end();
    };
  },
  async SecondlapReplicaOut() {
    const DATABASE_REPLICA_URL = "postgres://127.0.0.1:1/none";
    const env = { DATABASE_URL: shop.databaseUrl, DATABASE_REPLICA_URL };
    const node = await openShop({ beside: shop, env });
    const stop = await serveTo(node.deps.metrics);
    return async () => {
      await forgetLast();
      await stop();
      await node.close();
    };
  },
  async SecondlapConnectionsExhausted() {
    const { pool } = shop;
    const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
    const waiting = pool.connect();
    return async () => {
      for (const client of clients) client.release();
      (await waiting).release();
    };
  },
  SecondlapCacheOff: () => cutConnections("application_name = 'secondlap changes'"),
  SecondlapDatabaseDown: () => cutConnections(),
  async "SecondlapServerErrors, because payments fail between the probes of two nodes"() {
    const second = await openShop({ beside: shop });
    const stopServing = await serveTo(second.deps.metrics);
    const buyer = await member(shop);
    const bookingId = await bookLaptop(buyer, await listing(seller));
    const authorization = `Bearer ${await buyer.token()}`;
    const pay = () =>
      fetch(`${shop.url}/api${createPaymentIntent.path}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ price, bookingId }),
      });
    const failNext = { method: "POST", path: "/v1/payment_intents", status: 500, times: 999 };
    await cards.injectFaults({ failNext });
    const probes = [shop, second].map(({ url }) => repeat(() => fetch(`${url}/readyz`), 5));
    const stopPaying = repeat(pay, 1_000);
    return async () => {
      for (const stop of [stopPaying, ...probes]) await stop();
      await cards.injectFaults({});
      await forgetLast();
      await stopServing();
      await second.close();
    };
  },
  async SecondlapDiskFull() {
    await shop.pool.query(`
      create function fail_full() returns trigger language plpgsql as
        $$ begin raise 'No space left on device' using errcode = '53100'; end $$;
      create trigger fail_full before insert on products execute function fail_full()`);
    const stop = repeat(() => listing(seller));
    return async () => {
      await stop();
      await shop.pool.query("drop trigger fail_full on products");
    };
  },
  async SecondlapServerErrors() {
    const stop = repeat(() => ask(`/api/products/byId/${crypto.randomUUID()}`));
    const restore = await cutConnections();
    return async () => {
      await restore();
      await stop();
    };
  },
};

test("no alert fires in a healthy shop", async () => {
  await ask("/api/categories");
  // Waits for several scrapes and evaluations.
  await wait(8_000);
  // On a busy machine, slowness may fire an alert at first.
  await expect.poll(prometheus.firing).toEqual([]);
});

const alertOf = (cause: string) => cause.replace(/,.*/, "");

test.for(Object.keys(causes))("%s: the alert fires when its cause occurs", async (cause) => {
  const name = alertOf(cause);
  await expect.poll(prometheus.firing).not.toContain(name);
  const end = await causes[cause]?.();
  await expect.poll(prometheus.firing, { timeout: 60_000, interval: 500 }).toContain(name);
  await end?.();
});

test("every alert rule has a cause above", () => {
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(names.toSorted()).toEqual([...new Set(Object.keys(causes).map(alertOf))].toSorted());
});
