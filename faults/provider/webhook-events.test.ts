import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refundPayment } from "#server/features/money/send-refund.ts";
import { settleIntent } from "#server/features/money/webhook-events.ts";
import { sandboxKeys } from "#server/settings/production-checks.ts";
import { member, type Person } from "#server/testing/people.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import { violationsIn } from "../invariants.ts";
import { type Deal, giveBack, openDeal, pay, record } from "./deals.ts";

const secret = sandboxKeys.webhookSecret;
const now = () => Math.floor(Date.now() / 1_000);

let shop: Shop;
let seller: Person;
let admin: Person;

// Starts no worker, so that the queued jobs can be counted.
beforeAll(async () => {
  shop = await openShop({ sandbox: true });
  await shop.cards.injectFaults({ webhook: { hold: true } });
  seller = await member(shop, { accountType: "seller" });
  admin = await member(shop, { isAdmin: true });
});
afterAll(() => shop.close());

let events = 0;
function newsOf({ intent: id }: Deal): string {
  events += 1;
  const data = { object: { id, object: "payment_intent" } };
  return JSON.stringify({ id: `evt_${events}`, type: "payment_intent.succeeded", data });
}

async function post(payload: string, signature = {}): Promise<number> {
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, ...signature });
  return await postSigned(payload, header);
}

async function postSigned(body: string, signature: string): Promise<number> {
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  return (await fetch(`${shop.url}/api/webhooks/stripe`, { method: "POST", headers, body })).status;
}

const jobsOf = async ({ intent }: Deal) =>
  (await shop.pool.query("select from job_outbox where payload ->> 'intentId' = $1", [intent]))
    .rowCount;

test("an event sent fifty times concurrently is accepted each time and queues only one job", async () => {
  const deal = await openDeal(shop, seller);
  await pay(shop, deal);
  const payload = newsOf(deal);
  const told = await Promise.all(Array.from({ length: 50 }, () => post(payload)));
  expect(new Set(told)).toEqual(new Set([200]));
  expect(await jobsOf(deal)).toBe(1);
  await settleIntent(shop.deps, deal.intent);
  expect(await post(payload)).toBe(200);
  expect(await jobsOf(deal)).toBe(1);
  expect(await violationsIn(shop, deal.acknowledged)).toEqual([]);
});

test("a stale, tampered or wrongly signed event is rejected, and neither stored nor queued as a job", async () => {
  const deal = await openDeal(shop, seller);
  const payload = newsOf(deal);
  const good = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const tampered = payload.replace(deal.intent, "pi_of_somebody_else");
  expect([
    await post(payload, { timestamp: now() - 301 }),
    await post(payload, { secret: "whsec_of_somebody_else" }),
    await postSigned(tampered, good),
    await postSigned(payload, ""),
  ]).toEqual([400, 400, 400, 400]);
  expect(await jobsOf(deal)).toBe(0);
  const { id } = JSON.parse(payload);
  const stored = shop.deps.db.selectFrom("webhook_events").select("id").where("id", "=", id);
  expect(await stored.execute()).toEqual([]);
});

test("an event with a timestamp in the future changes nothing if the payment was never made", async () => {
  const deal = await openDeal(shop, seller);
  expect(await post(newsOf(deal), { timestamp: now() + 3_600 })).toBe(200);
  await settleIntent(shop.deps, deal.intent);
  expect(await violationsIn(shop, deal.acknowledged)).toEqual([]);
  const { state } = await shop.deps.db
    .selectFrom("bookings")
    .select("state")
    .where("id", "=", deal.booking)
    .executeTakeFirstOrThrow();
  expect(state).toBe("held");
});

test("an old event replayed after the refund changes nothing", async () => {
  const deal = await openDeal(shop, seller);
  await pay(shop, deal);
  await record(deal);
  await giveBack(admin, deal);
  const due = shop.deps.db
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", deal.booking);
  for (const { id } of await due.execute()) await refundPayment(shop.deps, id);
  for (let times = 0; times < 3; times += 1) {
    expect(await post(newsOf(deal))).toBe(200);
    await settleIntent(shop.deps, deal.intent);
  }
  expect(await violationsIn(shop, deal.acknowledged)).toEqual([]);
});
