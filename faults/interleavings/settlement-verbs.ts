import { sql } from "kysely";
import {
  answerComplaint,
  closeComplaint,
  complain,
  decideComplaint,
} from "#contract/complaints.ts";
import { settleLeftover } from "#contract/deal-records.ts";
import { confirmHandover, confirmHandoverByCode, issueHandoverCode } from "#contract/handover.ts";
import type { Deps } from "#server/deps.ts";
import { meetComplaintDeadline } from "#server/features/complaints/complaint-deadlines.ts";
import { payOutDeal } from "#server/features/money/pay-out-deal.ts";
import { recordReversals, recoverDebt } from "#server/features/money/reverse-transfers.ts";
import { refundPayment } from "#server/features/money/send-refund.ts";
import { meetDeadline } from "#server/features/money/settlement-deadlines.ts";
import type { Verb } from "./scenario.ts";

/** Amounts in dollars. `max` is the whole price. */
const part = 100;
const max = 640;

const answer =
  (body: { answer: "refund" | "offer" | "disagree"; offer?: number }): Verb =>
  (executor, { seller, booking }) =>
    executor.request(answerComplaint, {
      who: seller,
      verb: "answer complaint",
      params: { id: booking },
      body: { ...body, words: "An answer." },
    });

const close =
  (agree: "offer" | "withdraw"): Verb =>
  (executor, { buyer, booking }) =>
    executor.request(closeComplaint, {
      who: buyer,
      verb: `${agree} complaint`,
      params: { id: booking },
      body: { agree, offer: agree === "offer" ? part : null },
    });

const decide =
  (refund: number): Verb =>
  (executor, { admin, booking }) =>
    executor.request(decideComplaint, {
      who: admin,
      verb: refund === 0 ? "startRelease" : "startRefund",
      params: { id: booking },
      body: { refund, words: "Decided.", atOnce: true },
    });

const sendLeftover =
  (to: "buyer" | "seller", amount = part): Verb =>
  (executor, { admin, booking }) =>
    executor.request(settleLeftover, {
      who: admin,
      verb: to === "buyer" ? "refund leftover" : "releaseLeftover",
      params: { id: booking },
      body: { to, amount, reason: "Unclaimed." },
    });

const enter =
  (codeOf: (right: string) => string): Verb =>
  (executor, { seller, booking, code }) =>
    executor.request(confirmHandoverByCode, {
      who: seller,
      verb: "complete",
      body: { id: booking, code: codeOf(code) },
    });

const job =
  (...steps: ((deps: Deps, booking: string) => Promise<unknown>)[]): Verb =>
  (executor, { booking }) =>
    executor.job(async (deps) => {
      for (const step of steps) await step(deps, booking);
    });

/** Backdates the deal, so that its handover and complaint deadlines have passed. */
export async function endTime({ db }: Deps, booking: string): Promise<void> {
  const before = (column: string) => sql<Date>`${sql.ref(column)} - interval '30 days'`;
  await db
    .updateTable("settlements")
    .set({ paid_at: before("paid_at"), handed_over_at: before("handed_over_at") })
    .where("booking_id", "=", booking)
    .execute();
}

async function endComplaintTime({ db }: Deps, booking: string): Promise<void> {
  const long = { opened_at: new Date(0) };
  await db.updateTable("complaints").set(long).where("booking_id", "=", booking).execute();
}

/** Makes the payment so old that admins must handle money that the seller can't receive. */
export async function endYears({ db }: Deps, booking: string): Promise<void> {
  const long = { paid_at: new Date(0) };
  await db.updateTable("settlements").set(long).where("booking_id", "=", booking).execute();
}

/** Sends the refund that is still owed, even after a failed attempt. */
async function refundOpenPart(deps: Deps, booking: string): Promise<void> {
  const refund = await deps.db
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", booking)
    .where("owed_since", "is not", null)
    .executeTakeFirst();
  if (refund) await refundPayment(deps, refund.id);
}

export const settlementRequests = {
  enterCode: enter((right) => right),
  enterWrongCode: enter((right) => (right === "123456" ? "654321" : "123456")),
  complain: (executor, { buyer, booking: bookingId }) =>
    executor.request(complain, {
      who: buyer,
      verb: "complain",
      id: bookingId,
      body: { bookingId, reason: "not_working", words: "Dead keys." },
    }),
  offer: answer({ answer: "offer", offer: part }),
  offerMore: answer({ answer: "offer", offer: 2 * part }),
  disagree: answer({ answer: "disagree" }),
  refundBySeller: answer({ answer: "refund" }),
  acceptRefund: close("offer"),
  withdraw: close("withdraw"),
  confirmReturn: (executor, { seller, booking }) =>
    executor.request(confirmHandover, {
      who: seller,
      verb: "confirm return",
      body: { id: booking },
    }),
  decidePart: decide(part),
  decideAll: decide(max),
  decideNothing: decide(0),
  returnUnclaimed: sendLeftover("buyer", 540),
  sendLeftoverToBuyer: sendLeftover("buyer"),
  sendLeftoverToSeller: sendLeftover("seller"),
} satisfies Record<string, Verb>;

export const settlementJobs = {
  /** A request, but listed with the jobs because its response isn't stored for retries. */
  issueCode: (executor, { buyer, booking }) =>
    executor.request(issueHandoverCode, { who: buyer, body: { id: booking } }),
  startRelease: job(meetDeadline),
  release: job(meetDeadline, payOutDeal),
  endWindow: job(endTime, meetDeadline, payOutDeal),
  endHandoverTime: job(endTime, meetDeadline),
  decideOverdue: job(endComplaintTime, meetComplaintDeadline),
  refundPart: job(refundOpenPart),
  recoverDebt: job(recoverDebt),
  hearOfReversal: job(recordReversals),
  releaseSecond: (executor, { secondBooking }) =>
    executor.job((deps) => payOutDeal(deps, secondBooking)),
} satisfies Record<string, Verb>;
