import { expect } from "vitest";
import { answerComplaint } from "#contract/complaints.ts";
import { meetComplaintDeadlines } from "#server/features/complaints/complaint-deadlines.ts";
import { refundPayment } from "#server/features/money/send-refund.ts";
import { settleDeals } from "#server/features/money/settle-deals.ts";
import type { Sale } from "#server/testing/deal.ts";
import { deal } from "#server/testing/deal.ts";
import { dealTest } from "#server/testing/fixtures.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { day, hour } from "#server/testing/settlements.ts";
import { violationsIn } from "./invariants.ts";
import { runOptions, sample } from "./run-options.ts";

const test = dealTest({ webhooks: false }).extend("complaint", async ({ shop, seller }) => {
  // Faster than listing through the API, which encodes a photo.
  const product = await insertLaptop(shop, seller);
  const sale = await deal(shop, "complained", { seller, product, bank: true });
  const answer = { answer: "disagree" as const, words: "They worked." };
  await sale.seller.call(answerComplaint, { ...sale.at, body: answer });
  return sale;
});

const price = 64_000;
const part = 10_000;

/** After each pause, runs two copies of each job at once, then sends due refunds. */
async function runJobs(sale: Sale, ...minutes: number[]): Promise<void> {
  const { shop } = sale;
  for (const pause of minutes) {
    shop.clock.advance(pause);
    for (const run of [meetComplaintDeadlines, settleDeals])
      await Promise.allSettled([run(shop.deps), run(shop.deps)]);
    for (const { id } of await sale.payments())
      await refundPayment(shop.deps, id).catch(() => undefined);
    await sale.refresh();
  }
}

const interrupted = (path: string, afterWork: boolean): Fault => [
  `${path} interrupted ${afterWork ? "after" : "before"} its work`,
  { failNext: { method: "POST", path, status: "hangup", afterWork, times: 3 } },
];
type Fault = [string, object];
const noFault: Fault = ["no fault", {}];
const ofRefunds = [true, false].map((afterWork) => interrupted("/v1/refunds", afterWork));
const ofTransfers = [true, false].map((afterWork) => interrupted("/v1/transfers", afterWork));
/** Rejects one call. A retry with the same idempotency key is rejected, too. */
const refused = (path: string, code: string): Fault => [
  code,
  { failNext: { method: "POST", path, status: 400, code, times: 1 } },
];
const keyInUse = (path: string): Fault => [
  `idempotency_key_in_use at ${path}`,
  // Three failures, because Stripe's library makes two attempts.
  { failNext: { method: "POST", path, status: 409, times: 3 } },
];
const [refunds, transfers] = ["/v1/refunds", "/v1/transfers"];

const refundFaults = [...ofRefunds, keyInUse(refunds), refused(refunds, "balance_insufficient")];
const transferFaults = [
  ...ofTransfers,
  keyInUse(transfers),
  ...["transfers_not_allowed", "balance_insufficient"].map((code) => refused(transfers, code)),
];

/** In `npm test`, only the refund of $100 meets every fault, because it splits the money. */
const decisions = [
  {
    refund: 0,
    money: { transferred: price },
    faults: [noFault, ...sample(transferFaults, 1)],
  },
  {
    refund: 100,
    money: { transferred: price - part, refunded: part },
    faults: [...refundFaults, refused(refunds, "charge_disputed"), ...transferFaults],
  },
  {
    refund: 640,
    money: { refunded: price },
    faults: sample(refundFaults, 1),
  },
];
const walks = decisions.flatMap(({ faults, ...decision }) =>
  faults.map(([fault, set]) => ({ ...decision, fault, set })),
);

test.for(walks)(
  "with $fault, a complaint decided with a refund of $refund dollars moves each cent only once",
  async (walk, { shop, admin, complaint }) => {
    await shop.cards.injectFaults({ ...walk.set, webhook: { hold: true } });
    await complaint.decide(admin, walk.refund);
    await runJobs(complaint, 1, 11, 11, hour, 2 * hour, day);
    expect(await complaint.money()).toEqual(walk.money);
    const { state } = await complaint.settlement();
    expect(state).toBe(walk.refund === 640 ? "refunded" : "released");
    expect(await violationsIn(shop)).toEqual([]);
  },
);

const { long } = runOptions();
const forgotten = [refunds, transfers].flatMap((path) =>
  (long ? [true, false] : [true]).map((afterWork) => interrupted(path, afterWork)),
);

test.for(forgotten)(
  "with %s, no money moves twice, even after the provider has forgotten all idempotency keys",
  async ([, set], { shop, admin, complaint }) => {
    await shop.cards.injectFaults({ ...set, webhook: { hold: true } });
    await complaint.decide(admin, 100);
    await runJobs(complaint, 1, 1);
    await shop.cards.advanceClock(2);
    await runJobs(complaint, 25 * hour, 11, hour);
    expect(await complaint.money()).toEqual({ transferred: price - part, refunded: part });
    expect(await violationsIn(shop)).toEqual([]);
  },
);

test("a partial refund that the bank returns after the payout is retried, and no money moves twice", async ({
  shop,
  admin,
  complaint,
}) => {
  await complaint.decide(admin, 100);
  await runJobs(complaint, 1, 1);
  const { refunds } = await shop.cards.ledger();
  const [made] = refunds.filter(({ payment_intent }) => payment_intent === complaint.intent);
  await shop.cards.failRefund(made?.id ?? "");
  await complaint.refresh();
  expect(await complaint.money()).toEqual({ held: part, transferred: price - part });
  await runJobs(complaint, 1, hour, 1);
  expect(await complaint.money()).toEqual({ refunded: part, transferred: price - part });
  expect(await violationsIn(shop)).toEqual([]);
});
