import { decideComplaint } from "#contract/complaints.ts";
import { createPaymentIntent } from "#contract/payments.ts";
import { transact } from "#server/db/database.ts";
import { expireCreditOf } from "#server/features/rewards/credits.ts";
import { earnCredit, rewardInvitations } from "#server/features/rewards/reward-invitations.ts";
import { price } from "#server/testing/marketplace.ts";
import type { Verb } from "./scenario.ts";

const aDayMs = 24 * 3_600_000;

export const creditRequests = {
  askForSecondIntent: (executor, { buyer, secondBooking }) =>
    executor.request(createPaymentIntent, {
      who: buyer,
      body: { price, bookingId: secondBooking },
    }),
  /** Refunds more than the card paid. */
  decideNearlyAll: (executor, { admin, booking }) =>
    executor.request(decideComplaint, {
      who: admin,
      verb: "startRefund",
      params: { id: booking },
      body: { refund: price - 20, words: "Decided." },
    }),
} satisfies Record<string, Verb>;

export const creditJobs = {
  earnCredit: (executor, { buyer }) =>
    executor.job((deps) =>
      transact(deps.db, "earnCredit", (tx) =>
        earnCredit(tx, deps, { memberId: buyer.id, id: `${buyer.id}:more`, cents: 2_000 }),
      ),
    ),
  expireCredit: (executor, { buyer }) =>
    executor.job((deps) =>
      transact(deps.db, "expireCredit", (tx) => {
        const until = new Date(
          deps.clock.now().getTime() + deps.config.invitations.creditMs + aDayMs,
        );
        return expireCreditOf(tx, deps, { memberId: buyer.id, until });
      }),
    ),
  reward: (executor) => executor.job(rewardInvitations),
} satisfies Record<string, Verb>;
