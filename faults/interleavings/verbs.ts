import { bookProduct, cancelBooking } from "#contract/bookings.ts";
import { confirmHandover } from "#contract/handover.ts";
import { deleteUser } from "#contract/members.ts";
import { createPaymentIntent, recordPayment } from "#contract/payments.ts";
import { deleteProduct, toggleAdvertise } from "#contract/products.ts";
import { refundBooking, settleRefund } from "#contract/refunds.ts";
import { expireHold } from "#server/features/deals/end-hold.ts";
import { reconcile } from "#server/features/money/reconcile.ts";
import { refundPayment } from "#server/features/money/send-refund.ts";
import { settleIntent } from "#server/features/money/webhook-events.ts";
import { orderFor, paymentFor, price } from "#server/testing/marketplace.ts";
import { creditJobs, creditRequests } from "./credit-verbs.ts";
import type { Outcome } from "./executor.ts";
import { offerRequests } from "./offer-verbs.ts";
import type { Verb } from "./scenario.ts";
import { settlementJobs, settlementRequests } from "./settlement-verbs.ts";

const book =
  (who: "buyer" | "other", what: "product" | "second" = "product"): Verb =>
  (executor, scenario) =>
    executor.request(bookProduct, {
      who: scenario[who],
      verb: "hold",
      body: orderFor(scenario[what]),
    });

const cancel =
  (who: "buyer" | "seller"): Verb =>
  (executor, scenario) =>
    executor.request(cancelBooking, {
      who: scenario[who],
      verb: "cancel",
      params: { id: scenario.booking },
    });

const deleteMember =
  (whom: "buyer" | "seller"): Verb =>
  (executor, scenario) =>
    executor.request(deleteUser, {
      who: scenario.admin,
      verb: "delete",
      params: { id: scenario[whom].id },
    });

async function atDesk(work: Promise<unknown>): Promise<Outcome> {
  const result = await work.then(
    () => "ok",
    (error: Error) => error.message,
  );
  return { result, done: [] };
}

const providerVerbs = {
  payByCard: async (_, { desk, intent }) => {
    const result = await desk.pay(intent).catch((error: Error) => error.message);
    return { result: result === "succeeded" ? "ok" : result, done: [] };
  },
  refundElsewhere: (_, { desk, intent }) => atDesk(desk.refund(intent)),
  refundPartElsewhere: (_, { desk, intent }) => atDesk(desk.refund(intent, 10_000)),
  reverseElsewhere: (_, { desk, booking }) => atDesk(desk.reverseTransfer(booking, 10_000)),
  flipDispute: (_, { desk, intent }) => atDesk(desk.flipDispute(intent)),
  loseDispute: (_, { desk, intent }) => atDesk(desk.answerDispute(intent, "losing_evidence")),
  winDispute: (_, { desk, intent }) => atDesk(desk.answerDispute(intent, "winning_evidence")),
  /** The bank accepts or returns the refunds of the intent. */
  answerRefunds: (_, { desk, intent }) => atDesk(desk.answerRefunds(intent)),
} satisfies Record<string, Verb>;

/** Requests whose response is stored under their Idempotency-Key. */
const requests = {
  ...settlementRequests,
  ...creditRequests,
  ...offerRequests,
  book: book("buyer"),
  bookSecond: book("buyer", "second"),
  bookByOther: book("other"),
  bookSecondByOther: book("other", "second"),
  cancel: cancel("buyer"),
  cancelBySeller: cancel("seller"),
  deleteBuyer: deleteMember("buyer"),
  deleteSeller: deleteMember("seller"),

  askForIntent: (executor, { buyer, booking }) =>
    executor.request(createPaymentIntent, { who: buyer, body: { price, bookingId: booking } }),
  recordPayment: (executor, { buyer, booking, intent }) =>
    executor.request(recordPayment, {
      who: buyer,
      verb: "settle",
      body: paymentFor({ intent, booking }),
    }),
  handOver: (executor, { buyer, booking }) =>
    executor.request(confirmHandover, { who: buyer, verb: "complete", body: { id: booking } }),
  refund: async (executor, { admin, booking }) => {
    const asked = await executor.request(refundBooking, {
      who: admin,
      verb: "settle",
      body: { bookingId: booking },
    });
    const done = asked.done.length > 0 ? [{ verb: "refund", id: booking }] : [];
    return { ...asked, done: [...asked.done, ...done] };
  },
  // A payment that isn't recorded yet has no id, so the request sends the booking's id.
  settleRefund: (executor, { admin, booking, payment }) =>
    executor.request(settleRefund, {
      who: admin,
      verb: "settleRefund",
      id: payment,
      body: { paymentId: payment || booking },
    }),
  deleteProduct: (executor, { seller, product }) =>
    executor.request(deleteProduct, { who: seller, verb: "delete", params: { id: product } }),
  advertise: (executor, { seller, product }) =>
    executor.request(toggleAdvertise, {
      who: seller,
      verb: "advertise",
      body: { id: product, advertiseStatus: false },
    }),
} satisfies Record<string, Verb>;

const jobs = {
  ...settlementJobs,
  ...creditJobs,
  expire: (executor, { booking }) => executor.job((deps) => expireHold(deps, booking)),
  hearOfPayment: (executor, { intent }) => executor.job((deps) => settleIntent(deps, intent)),
  reconcile: (executor) => executor.job((deps) => reconcile(deps)),
  giveBack: (executor, { payment }) => executor.job((deps) => refundPayment(deps, payment)),
} satisfies Record<string, Verb>;

export const verbs = { ...requests, ...jobs, ...providerVerbs };

export type VerbName = keyof typeof verbs;

export function isOurs(name: VerbName): boolean {
  return !(name in providerVerbs);
}

export function isHttpRequest(name: VerbName): boolean {
  return name in requests;
}
