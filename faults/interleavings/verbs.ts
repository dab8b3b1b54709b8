import { bookProduct, cancelBooking } from "#contract/bookings.ts";
import { confirmHandover } from "#contract/handover.ts";
import { deleteUser } from "#contract/members.ts";
import {
  createPaymentIntent,
  recordPayment,
  refundBooking,
  settleRefund,
} from "#contract/payments.ts";
import { deleteProduct, toggleAdvertise } from "#contract/products.ts";
import { expireHold } from "#server/features/deals/end-hold.ts";
import { settleIntent } from "#server/features/money/provider-events.ts";
import { reconcile } from "#server/features/money/reconcile.ts";
import { refundPayment } from "#server/features/money/send-refund.ts";
import { orderFor, paymentFor, price } from "#server/testing/marketplace.ts";
import { creditJobs, creditVerbs } from "./credit-verbs.ts";
import type { Outcome } from "./executor.ts";
import { offerVerbs } from "./offer-verbs.ts";
import type { Verb } from "./scenario.ts";
import { settlementJobs, settlementVerbs } from "./settlement-verbs.ts";

const book =
  (who: "buyer" | "other", what: "product" | "second" = "product"): Verb =>
  (executor, scenario, key) =>
    executor.request(bookProduct, {
      who: scenario[who],
      key,
      verb: "hold",
      request: { body: orderFor(scenario[what]) },
    });

const cancel =
  (who: "buyer" | "seller"): Verb =>
  (executor, scenario, key) =>
    executor.request(cancelBooking, {
      who: scenario[who],
      key,
      verb: "cancel",
      id: scenario.booking,
      request: { params: { id: scenario.booking } },
    });

const deleteMember =
  (whom: "buyer" | "seller"): Verb =>
  (executor, scenario, key) =>
    executor.request(deleteUser, {
      who: scenario.admin,
      key,
      verb: "delete",
      id: scenario[whom].id,
      request: { params: { id: scenario[whom].id } },
    });

async function atDesk(work: Promise<unknown>): Promise<Outcome> {
  const result = await work.then(
    () => "ok",
    (error: Error) => error.message,
  );
  return { result, done: [] };
}

export const verbs = {
  ...settlementVerbs,
  ...creditVerbs,
  ...offerVerbs,
  book: book("buyer"),
  bookSecond: book("buyer", "second"),
  bookByOther: book("other"),
  bookSecondByOther: book("other", "second"),
  cancel: cancel("buyer"),
  cancelBySeller: cancel("seller"),
  deleteBuyer: deleteMember("buyer"),
  deleteSeller: deleteMember("seller"),

  askForIntent: (executor, { buyer, booking }, key) =>
    executor.request(createPaymentIntent, {
      who: buyer,
      key,
      verb: "",
      request: { body: { price, bookingId: booking } },
    }),
  /** Confirms the intent at the provider, as the card fields do. */
  payByCard: async (_, { desk, intent }) => {
    const result = await desk.pay(intent).catch((error: Error) => error.message);
    return { result: result === "succeeded" ? "ok" : result, done: [] };
  },
  /** These happen in the provider's dashboard. */
  refundElsewhere: (_, { desk, intent }) => atDesk(desk.refund(intent)),
  refundPartElsewhere: (_, { desk, intent }) => atDesk(desk.refund(intent, 10_000)),
  reverseElsewhere: (_, { desk, booking }) => atDesk(desk.reverseTransfer(booking, 10_000)),
  flipDispute: (_, { desk, intent }) => atDesk(desk.flipDispute(intent)),
  loseDispute: (_, { desk, intent }) => atDesk(desk.answerDispute(intent, "losing_evidence")),
  winDispute: (_, { desk, intent }) => atDesk(desk.answerDispute(intent, "winning_evidence")),
  recordPayment: (executor, { buyer, booking, intent }, key) =>
    executor.request(recordPayment, {
      who: buyer,
      key,
      verb: "settle",
      request: { body: paymentFor({ intent, booking }) },
    }),
  handOver: (executor, { buyer, booking }, key) =>
    executor.request(confirmHandover, {
      who: buyer,
      key,
      verb: "complete",
      id: booking,
      request: { body: { id: booking } },
    }),
  refund: async (executor, { admin, booking }, key) => {
    const request = { body: { bookingId: booking } };
    const asked = await executor.request(refundBooking, {
      who: admin,
      key,
      verb: "settle",
      request,
    });
    const done = asked.done.length > 0 ? [{ verb: "refund", id: booking }] : [];
    return { ...asked, done: [...asked.done, ...done] };
  },
  // A payment that isn't recorded yet has no id, so the request sends the booking's id.
  settleRefund: (executor, { admin, booking, payment }, key) =>
    executor.request(settleRefund, {
      who: admin,
      key,
      verb: "settleRefund",
      id: payment,
      request: { body: { paymentId: payment || booking } },
    }),
  deleteProduct: (executor, { seller, product }, key) =>
    executor.request(deleteProduct, {
      who: seller,
      key,
      verb: "delete",
      id: product,
      request: { params: { id: product } },
    }),
  advertise: (executor, { seller, product }, key) =>
    executor.request(toggleAdvertise, {
      who: seller,
      key,
      verb: "advertise",
      id: product,
      request: { body: { id: product, advertiseStatus: false } },
    }),

  expire: (executor, { booking }) => executor.job((deps) => expireHold(deps, booking)),
  hearOfPayment: (executor, { intent }) => executor.job((deps) => settleIntent(deps, intent)),
  reconcile: (executor) => executor.job((deps) => reconcile(deps)),
  giveBack: (executor, { payment }) => executor.job((deps) => refundPayment(deps, payment)),
} satisfies Record<string, Verb>;

export type VerbName = keyof typeof verbs;

const atProvider: VerbName[] = [
  "payByCard",
  "refundElsewhere",
  "refundPartElsewhere",
  "reverseElsewhere",
  "loseDispute",
  "winDispute",
  "flipDispute",
];

/** Verbs that are not HTTP requests, or whose response isn't stored under an Idempotency-Key. */
const notHttpRequests: VerbName[] = [
  ...atProvider,
  "expire",
  "hearOfPayment",
  "reconcile",
  "giveBack",
  ...settlementJobs,
  ...creditJobs,
];

export function isOurs(name: VerbName): boolean {
  return !atProvider.includes(name);
}

export function isHttpRequest(name: VerbName): boolean {
  return !notHttpRequests.includes(name);
}
