import { bookProduct, cancelBooking, confirmHandover } from "#contract/bookings.ts";
import { deleteUser } from "#contract/members.ts";
import { createPaymentIntent, recordPayment, refundBooking } from "#contract/payments.ts";
import { deleteProduct, toggleAdvertise } from "#contract/products.ts";
import { expireHold } from "#server/features/bookings/hold-expiry.ts";
import { reconcile } from "#server/features/payments/reconcile.ts";
import { refundPayment } from "#server/features/payments/refunds.ts";
import { settleIntent } from "#server/features/payments/webhook.ts";
import type { CardProvider } from "#server/testing/cards.ts";
import type { Person } from "#server/testing/people.ts";
import { orderOf, paidWith, price } from "../product-fixtures.ts";
import type { Outcome, Stage } from "./executor.ts";

/** The people and things that two verbs meet over. */
export type Scene = {
  desk: CardProvider;
  seller: Person;
  buyer: Person;
  other: Person;
  admin: Person;
  product: string;
  /** Another product of the same seller. */
  second: string;
  booking: string;
  intent: string;
  payment: string;
};

export type Verb = (stage: Stage, scene: Scene, key?: string) => Promise<Outcome>;

const book =
  (who: "buyer" | "other", what: "product" | "second" = "product"): Verb =>
  (stage, scene, key) =>
    stage.ask(bookProduct, {
      ...{ who: scene[who], key, verb: "hold" },
      request: { body: orderOf(scene[what]) },
    });

const cancel =
  (who: "buyer" | "seller"): Verb =>
  (stage, scene, key) =>
    stage.ask(cancelBooking, {
      ...{ who: scene[who], key, verb: "cancel", id: scene.booking },
      request: { params: { id: scene.booking } },
    });

const deleteMember =
  (whom: "buyer" | "seller"): Verb =>
  (stage, scene, key) =>
    stage.ask(deleteUser, {
      ...{ who: scene.admin, key, verb: "delete", id: scene[whom].id },
      request: { params: { id: scene[whom].id } },
    });

/** Everything that can happen to a laptop and its money, each as somebody or something does it. */
export const verbs = {
  book: book("buyer"),
  bookSecond: book("buyer", "second"),
  bookByOther: book("other"),
  bookSecondByOther: book("other", "second"),
  cancel: cancel("buyer"),
  cancelBySeller: cancel("seller"),
  deleteBuyer: deleteMember("buyer"),
  deleteSeller: deleteMember("seller"),

  askForIntent: (stage, { buyer, booking }, key) =>
    stage.ask(createPaymentIntent, {
      ...{ who: buyer, key, verb: "" },
      request: { body: { price, bookingId: booking } },
    }),
  /** At the provider, from the buyer's browser. */
  payByCard: async (_, { desk, intent }) => {
    const told = await desk.pay(intent).catch((error: Error) => error.message);
    return { told: told === "succeeded" ? "yes" : told, done: [] };
  },
  recordPayment: (stage, { buyer, booking, intent }, key) =>
    stage.ask(recordPayment, {
      ...{ who: buyer, key, verb: "settle" },
      request: { body: paidWith(intent, booking) },
    }),
  handOver: (stage, { buyer, booking }, key) =>
    stage.ask(confirmHandover, {
      ...{ who: buyer, key, verb: "complete", id: booking },
      request: { body: { id: booking } },
    }),
  refund: async (stage, { admin, booking }, key) => {
    const request = { body: { bookingId: booking } };
    const asked = await stage.ask(refundBooking, { who: admin, key, verb: "settle", request });
    const done = asked.done.length > 0 ? [{ verb: "refund", id: booking }] : [];
    return { ...asked, done: [...asked.done, ...done] };
  },
  deleteProduct: (stage, { seller, product }, key) =>
    stage.ask(deleteProduct, {
      ...{ who: seller, key, verb: "delete", id: product },
      request: { params: { id: product } },
    }),
  advertise: (stage, { seller, product }, key) =>
    stage.ask(toggleAdvertise, {
      ...{ who: seller, key, verb: "advertise", id: product },
      request: { body: { id: product, advertiseStatus: false } },
    }),

  expire: (stage, { booking }) => stage.job((deps) => expireHold(deps, booking)),
  hearOfPayment: (stage, { intent }) => stage.job((deps) => settleIntent(deps, intent)),
  reconcile: (stage) => stage.job((deps) => reconcile(deps)),
  giveBack: (stage, { payment }) => stage.job((deps) => refundPayment(deps, payment)),
} satisfies Record<string, Verb>;

export type VerbName = keyof typeof verbs;

/** Those that people ask for over HTTP, and that may carry an Idempotency-Key. */
const byItself: VerbName[] = ["payByCard", "expire", "hearOfPayment", "reconcile", "giveBack"];

export function isAsked(name: VerbName): boolean {
  return !byItself.includes(name);
}
