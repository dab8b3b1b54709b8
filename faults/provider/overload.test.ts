import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { createPaymentIntent } from "#contract/payments.ts";
import { enqueue } from "#server/jobs/job-queue.ts";
import { openBrowser, signUpAt } from "#server/testing/browser.ts";
import { mailsTo } from "#server/testing/inbox.ts";
import { bookLaptop, price } from "#server/testing/marketplace.ts";
import { member } from "#server/testing/people.ts";
import { openShop } from "#server/testing/shop.ts";
import { addPeople, exerciseTheRest, newLaptop, type PeopledShop } from "./outage-cells.ts";
import { type OutageProxy, startOutageProxy } from "./outage-proxy.ts";
import { sendCardsThrough } from "./outage-shops.ts";

let people: PeopledShop;
let cards: OutageProxy;

beforeAll(async () => {
  people = await addPeople(await openShop({ sandbox: true, worker: true }));
  // Slow enough that the calls are still running when the outage ends.
  cards = await startOutageProxy({ protocol: "http", slowMs: 600_000, replaceHost: true });
  cards.forwardTo(people.shop.sandbox?.url ?? "");
  sendCardsThrough(people.shop, cards, 1_000);
});
afterEach(() => cards.set(undefined));
afterAll(async () => {
  await people.shop.close();
  await cards.close();
});

test("while 100 calls wait for a slow card provider, further card calls are rejected immediately and other calls succeed", async () => {
  const { shop } = people;
  const buyer = await member(shop);
  const bookingId = await bookLaptop(buyer, await newLaptop(people));
  const open = () => buyer.call(createPaymentIntent, { body: { price, bookingId } });
  await open();
  sendCardsThrough(shop, cards, 600_000);
  onTestFinished(() => sendCardsThrough(shop, cards, 1_000));
  await cards.set("slow");
  let ended = 0;
  const crowd = Array.from({ length: 120 }, () =>
    open().then(
      () => (ended += 1),
      () => (ended += 1),
    ),
  );
  await expect.poll(() => ended).toBeGreaterThanOrEqual(20);
  await exerciseTheRest(people);
  // The reconciliation job runs every minute, so one of the 100 waiting calls may be its own.
  expect(ended).toBeLessThanOrEqual(21);
  await cards.set(undefined);
  await Promise.all(crowd);
  await open();
});

test("a password reset is mailed ahead of a backlog of events waiting for a slow card provider", async () => {
  const { shop } = people;
  const email = `${randomUUID()}@example.com`;
  await signUpAt(shop.url, email, "buyer");
  await expect.poll(async () => (await mailsTo(shop, email)).length).toBe(1);
  await cards.set("slow");
  await shop.deps.db.transaction().execute(async (tx) => {
    for (let event = 0; event < 600; event += 1)
      await enqueue(tx, "settleIntent", { payload: { intentId: `pi_${event}` } });
  });
  await openBrowser(shop.url).post("/request-password-reset", { email });
  await expect.poll(async () => (await mailsTo(shop, email)).length).toBe(2);
  const { rowCount: waiting } = await shop.pool.query(
    "select from graphile_worker.jobs where task_identifier = 'settleIntent' and attempts = 0",
  );
  expect(waiting).toBeGreaterThan(0);
  await shop.pool.query(
    "select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = 'settleIntent' and locked_at is null))",
  );
});
