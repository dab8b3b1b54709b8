import { expect } from "vitest";
import { limitCalls, TooManyCalls } from "../adapters/limit-calls.ts";
import { smtpMail } from "../adapters/mail/smtp.ts";
import { allJobs } from "../all-jobs.ts";
import { reconcileLedger } from "../features/money/reconcile-ledger.ts";
import { enqueue } from "../jobs/job-queue.ts";
import { startWorker } from "../jobs/worker.ts";
import { stripeAt } from "../testing/cards.ts";
import { deal, type Sale } from "../testing/deal.ts";
import { dealTest, withoutWebhooks } from "../testing/fixtures.ts";
import { metricOf, shopMetricOf } from "../testing/metrics.ts";
import { hour, wait } from "../testing/settlements.ts";
import type { Shop } from "../testing/shop.ts";
import { startTestSmtpServer } from "../testing/smtp-server.ts";

const test = dealTest();

const email = { to: "ada@example.com", subject: "Hello", text: "Hello", html: "Hello" };

test("metrics show how many jobs of each task are waiting, retried or given up", async ({
  shop,
}) => {
  const { deps, pool } = shop;
  const task = { task: "sendMail" };
  const value = (name: string) => shopMetricOf(shop, name, task);
  await enqueue(deps.db, "sendMail", { payload: email });
  await pool.query("update job_outbox set run_at = now() - interval '20 minutes'");
  expect(await value("secondlap_jobs_due")).toBe(1);
  expect(await value("secondlap_job_due_seconds")).toBeGreaterThan(19 * 60);
  expect(await shopMetricOf(shop, "secondlap_jobs_retried", task)).toBe(0);

  const { runs, worker } = await startMailWorker(shop);
  await expect.poll(() => runs.length).toBe(1);
  // Stops the worker before the job fails, because the worker would soon retry the job.
  const stopped = worker.stop();
  runs[0]?.reject(new Error("no answer"));
  await stopped;
  expect(await value("secondlap_jobs_retried")).toBe(1);
  const failed = { ...task, outcome: "failed" };
  expect(await metricOf(shop, "secondlap_jobs_run_total", failed)).toBe(1);
  expect(await metricOf(shop, "secondlap_job_seconds_count", task)).toBe(1);
  await pool.query(
    "update graphile_worker._private_jobs set created_at = now() - interval '1 hour', run_at = now() + interval '1 hour'",
  );
  expect(await value("secondlap_job_retried_seconds")).toBeGreaterThan(59 * 60);
  expect(await value("secondlap_jobs_due")).toBe(0);
  await pool.query("update graphile_worker._private_jobs set attempts = max_attempts");
  expect(await value("secondlap_jobs_given_up")).toBe(1);
  expect(await value("secondlap_jobs_retried")).toBe(0);
  await pool.query("delete from graphile_worker._private_jobs");
});

test("a running job counts as retried from its second attempt", async ({ shop }) => {
  const { deps, pool } = shop;
  const value = (name: string) => shopMetricOf(shop, name, { task: "sendMail" });
  await enqueue(deps.db, "sendMail", { payload: email });
  const { runs, worker } = await startMailWorker(shop);
  await expect.poll(() => runs.length).toBe(1);
  expect(await value("secondlap_jobs_retried")).toBe(0);
  // The next run is the job's last.
  await pool.query("update graphile_worker._private_jobs set max_attempts = 2");
  runs[0]?.reject(new Error("no answer"));
  await expect.poll(() => value("secondlap_jobs_retried")).toBe(1);
  await pool.query("update graphile_worker._private_jobs set run_at = now()");
  await expect.poll(() => runs.length).toBe(2);
  expect(await value("secondlap_jobs_retried")).toBe(1);
  expect(await value("secondlap_jobs_given_up")).toBe(0);
  runs[1]?.reject(new Error("no answer"));
  await expect.poll(() => value("secondlap_jobs_given_up")).toBe(1);
  await worker.stop();
  await pool.query("delete from graphile_worker._private_jobs");
});

/** Starts a worker. Each run of a job that sends an email waits until the test ends the run. */
async function startMailWorker({ deps, pool, app }: Shop) {
  const runs: PromiseWithResolvers<void>[] = [];
  const send = () => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  };
  const mail = { ...deps.mail, send };
  const options = { jobs: allJobs, log: app.log, cron: false };
  return { runs, worker: await startWorker({ ...deps, mail }, pool, options) };
}

test("calls to the card provider are counted as answered, refused or failed", async ({ shop }) => {
  const sale = await deal(shop, "held");
  const calls = (outcome: string) =>
    metricOf(shop, "secondlap_provider_calls_total", { service: "cards", outcome });
  const times = () => metricOf(shop, "secondlap_provider_call_seconds_count", { service: "cards" });
  const before = { answered: await calls("answered"), times: await times() };
  expect(before.answered).toBeGreaterThan(0);
  await shop.deps.cards.findIntent(sale.intent);
  expect([await calls("answered"), await times()]).toEqual([before.answered + 1, before.times + 1]);
  await shop.deps.cards.findIntent("pi_unknown");
  expect(await calls("refused")).toBe(1);
  const path = "/v1/payment_intents/:id";
  await shop.cards.injectFaults({ failNext: { method: "GET", path, status: 500, times: 9 } });
  await expect(shop.deps.cards.findIntent(sale.intent)).rejects.toThrow("does not answer");
  expect(await calls("failed")).toBe(1);
  await shop.cards.injectFaults({});
});

test("calls rejected by the concurrency limit are counted as not sent", async ({ shop }) => {
  const limit = limitCalls(1, { service: "images" });
  const ending = Promise.withResolvers<void>();
  const first = limit(() => ending.promise);
  await expect(limit(async () => {})).rejects.toBeInstanceOf(TooManyCalls);
  ending.resolve();
  await first;
  const calls = (outcome: string) =>
    metricOf(shop, "secondlap_provider_calls_total", { service: "images", outcome });
  expect([await calls("not_sent"), await calls("answered")]).toEqual([1, 1]);
});

test("emails count as answered, refused or failed, depending on the mail server's reply", async ({
  shop,
}) => {
  const server = await startTestSmtpServer();
  const mail = smtpMail({
    url: `smtp://127.0.0.1:${server.port}`,
    from: "a@b.example",
    inboxUrl: null,
  });
  const calls = (outcome: string) =>
    metricOf(shop, "secondlap_provider_calls_total", { service: "mail", outcome });
  const before = { answered: await calls("answered"), failed: await calls("failed") };
  await mail.send(email);
  server.refusal = { responseCode: 550, message: "No such mailbox" };
  await expect(mail.send(email)).rejects.toThrow("rejected");
  server.refusal = { responseCode: 450, message: "Later" };
  await expect(mail.send(email)).rejects.toThrow("did not accept");
  await mail.close();
  await server.close();
  expect([await calls("answered"), await calls("refused"), await calls("failed")]).toEqual([
    ...[before.answered + 1, 1, before.failed + 1],
  ]);
});

test("a refund that the bank sent back counts as awaiting a retry until the next attempt is accepted", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "paid");
  await sale.refund(admin);
  await sale.sendRefund();
  await sale.returnRefund();
  await sale.refresh();
  expect(await shopMetricOf(shop, "secondlap_refunds_retried")).toBe(1);
  shop.clock.advance(61);
  await sale.sendRefund();
  expect(await shopMetricOf(shop, "secondlap_refunds_retried")).toBe(0);
});

async function sendPartBack(sale: Sale): Promise<void> {
  await sale.refundElsewhere(10_000);
  await sale.returnRefund();
  await sale.refresh();
}

/** Events after which a partial refund no longer counts as awaiting a retry. */
const endings = [
  ["the refund is sent again", ({ shop }) => wait(shop, hour)],
  [
    "the cardholder disputes the payment",
    async (sale) => {
      await sale.cards.openDispute(sale.intent, 54_000);
      await sale.refresh();
    },
  ],
] satisfies [string, (sale: Sale) => Promise<unknown>][];

for (const [what, end] of endings)
  test(`a partial refund that the bank sent back counts as awaiting a retry until ${what}`, async ({
    shop,
  }) => {
    const retried = () => shopMetricOf(shop, "secondlap_refunds_retried");
    await shop.cards.injectFaults(withoutWebhooks);
    const sale = await deal(shop, "handedOver");
    const before = await retried();
    await sendPartBack(sale);
    expect(await retried()).toBe(before + 1);
    await end(sale);
    expect(await retried()).toBe(before);
  });

test("metrics show the differences between the ledger and the provider, and the time since the last comparison", async ({
  shop,
}) => {
  const sale = await deal(shop, "held");
  const compared = () => shopMetricOf(shop, "secondlap_ledger_compared_seconds");
  await sale.pay();
  const [first] = await shop.deps.db
    .selectFrom("payments")
    .select(({ fn }) => fn.min("recorded_at").as("at"))
    .execute();
  shop.clock.advance(31 * 60);
  const sinceFirst = shop.clock.now().getTime() - (first?.at.getTime() ?? 0);
  expect(await compared()).toBe(sinceFirst / 1_000);
  expect(sinceFirst).toBeGreaterThanOrEqual(31 * 3_600_000);
  // Simulates a shop installed after the first payment, as with demo data.
  await shop.pool.query("update migrations set applied_at = $1", [shop.clock.now()]);
  expect(await compared()).toBe(0);
  shop.clock.advance(31 * 60);
  expect(await compared()).toBe(31 * 3_600);
  const stripe = stripeAt(String(shop.sandbox?.url));
  const { id } = await stripe.paymentIntents.create({ amount: 5_000, currency: "usd" });
  await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
  await reconcileLedger(shop.deps);
  expect(await shopMetricOf(shop, "secondlap_ledger_differences")).toBeGreaterThan(0);
  expect(await compared()).toBe(0);
  shop.clock.advance(31 * 60);
  expect(await compared()).toBe(31 * 3_600);
});
