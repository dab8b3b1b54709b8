import { expect } from "vitest";
import { answerComplaint, complain, decideComplaint } from "#contract/complaints.ts";
import { refundPayment } from "#server/features/booking-lifecycle/refunds.ts";
import { settleIntent } from "#server/features/payments/webhook.ts";
import { settleDeals } from "#server/features/settlements/settle-deals.ts";
import { paymentsFor } from "#server/testing/deals.ts";
import { dealTest } from "#server/testing/fixtures.ts";
import type { Deal } from "#server/testing/marketplace.ts";
import {
  connectBank,
  day,
  handOver,
  hour,
  moneyOf,
  settlementOf,
} from "#server/testing/settlements.ts";
import type { Shop } from "#server/testing/shop.ts";
import { checkInvariants } from "./invariants.ts";
import { runOptions } from "./run-options.ts";

const test = dealTest().extend("complaint", async ({ cards, seller, deal, pay, holdWebhooks }) => {
  await holdWebhooks();
  await connectBank(cards, seller);
  await pay(deal);
  await handOver(deal);
  const { booking: bookingId, buyer } = deal;
  const body = { bookingId, reason: "not_working" as const, words: "Dead keys." };
  await buyer.call(complain, { body });
  const answer = { answer: "disagree" as const, words: "They worked." };
  await seller.call(answerComplaint, { params: { id: bookingId }, body: answer });
  return deal;
});

const price = 64_000;
const part = 10_000;

/** Two job runners at once, at these times; what one of them fails at is done by a later one. */
async function runJobs(shop: Shop, deal: Deal, minutes: number[]): Promise<void> {
  for (const pause of minutes) {
    shop.clock.advance(pause);
    await Promise.allSettled([settleDeals(shop.deps), settleDeals(shop.deps)]);
    for (const { id } of await paymentsFor(shop, deal))
      await refundPayment(shop.deps, id).catch(() => undefined);
    await settleIntent(shop.deps, deal.intent);
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
/** The provider refuses the next call, and answers the same to its key. */
const refused = (path: string, code: string): Fault => [
  code,
  { failNext: { method: "POST", path, status: 400, code, times: 1 } },
];
const keyInUse = (path: string): Fault => [
  `idempotency_key_in_use at ${path}`,
  // Stripe's library repeats such a call twice.
  { failNext: { method: "POST", path, status: 409, times: 3 } },
];
const [refunds, transfers] = ["/v1/refunds", "/v1/transfers"];

const decisions = [
  {
    refund: 0,
    money: { transferred: price },
    faults: [
      ...[noFault, ...ofTransfers, keyInUse(transfers)],
      ...["transfers_not_allowed", "balance_insufficient"].map((code) => refused(transfers, code)),
    ],
  },
  {
    refund: 100,
    money: { transferred: price - part, refunded: part },
    faults: [
      ...[noFault, ...ofRefunds, ...ofTransfers, keyInUse(refunds)],
      ...["balance_insufficient", "charge_disputed"].map((code) => refused(refunds, code)),
    ],
  },
  {
    refund: 640,
    money: { refunded: price },
    faults: [...ofRefunds, refused(refunds, "balance_insufficient")],
  },
];
const walks = decisions.flatMap(({ faults, ...decision }) =>
  faults.map(([fault, set]) => ({ ...decision, fault, set })),
);

test.for(walks)(
  "$refund dollars to the buyer, with $fault: each cent is at one place",
  async (walk, { shop, cards, admin, complaint }) => {
    await cards.injectFaults({ ...walk.set, webhook: { hold: true } });
    const body = { refund: walk.refund, words: "Decided." };
    await admin.call(decideComplaint, { params: { id: complaint.booking }, body });
    await runJobs(shop, complaint, [1, 11, 11, hour, 2 * hour, day]);
    expect(await moneyOf(shop, complaint)).toEqual(walk.money);
    const { state } = await settlementOf(shop, complaint);
    expect(state).toBe(walk.refund === 640 ? "refunded" : "released");
    expect(await checkInvariants(shop.pool, await cards.ledger(), [], shop.clock.now())).toEqual(
      [],
    );
  },
);

const { long } = runOptions();
const forgotten = [refunds, transfers].flatMap((path) =>
  (long ? [true, false] : [true]).map((afterWork) => interrupted(path, afterWork)),
);

test.for(forgotten)(
  "a part to the buyer, with %s, when the provider has forgotten all keys: nothing moves twice",
  async ([, set], { shop, cards, admin, complaint }) => {
    await cards.injectFaults({ ...set, webhook: { hold: true } });
    const body = { refund: 100, words: "Decided." };
    await admin.call(decideComplaint, { params: { id: complaint.booking }, body });
    await runJobs(shop, complaint, [1, 1]);
    await cards.advanceClock(2);
    await runJobs(shop, complaint, [25 * hour, 11, hour]);
    expect(await moneyOf(shop, complaint)).toEqual({ transferred: price - part, refunded: part });
    expect(await checkInvariants(shop.pool, await cards.ledger(), [], shop.clock.now())).toEqual(
      [],
    );
  },
);

test("a part that the bank sends back once the seller was paid goes to the buyer, and nobody pays twice", async ({
  shop,
  cards,
  admin,
  complaint,
}) => {
  const body = { refund: 100, words: "Decided." };
  await admin.call(decideComplaint, { params: { id: complaint.booking }, body });
  await runJobs(shop, complaint, [1, 1]);
  const { refunds } = await cards.ledger();
  const [made] = refunds.filter(({ payment_intent }) => payment_intent === complaint.intent);
  await cards.failRefund(made?.id ?? "");
  await settleIntent(shop.deps, complaint.intent);
  expect(await moneyOf(shop, complaint)).toEqual({ held: part, transferred: price - part });
  await runJobs(shop, complaint, [1, hour, 1]);
  expect(await moneyOf(shop, complaint)).toEqual({ refunded: part, transferred: price - part });
  expect(await checkInvariants(shop.pool, await cards.ledger(), [], shop.clock.now())).toEqual([]);
});
