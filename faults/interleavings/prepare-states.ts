import { recordAudit } from "#server/db/record-audit.ts";
import { settlePayment } from "#server/features/money/settle-payment.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { intentIn } from "#server/testing/marketplace.ts";
import { member, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import type { Executor } from "./executor.ts";
import type { Scenario, Verb } from "./scenario.ts";
import { type VerbName, verbs } from "./verbs.ts";

export type Context = { shop: Shop; executor: Executor };

export type Prepare = (context: Context) => Promise<Scenario>;

export type InitialState = {
  prepare: Prepare;
  verbs: VerbName[];
  /** Exactly one verb of each pair succeeds, in either order. */
  rivals?: [VerbName, VerbName][];
  /** Whether `npm test` skips the state, because its preparation takes too long. */
  onlyInLongRun?: boolean;
  /** Verbs that `npm test` interrupts. The long run interrupts all of the shop's own verbs. */
  interrupted?: VerbName[];
};

/** One admin per shop, because some verbs email every admin, and each email adds a query. */
const admins = new WeakMap<Shop, Promise<Person>>();

async function adminOf(shop: Shop): Promise<Person> {
  const admin = admins.get(shop) ?? member(shop, { isAdmin: true });
  admins.set(shop, admin);
  return await admin;
}

export async function available({ shop }: Context): Promise<Scenario> {
  const [seller, buyer, other, admin] = await Promise.all([
    member(shop, { accountType: "seller" }),
    member(shop),
    member(shop),
    adminOf(shop),
  ]);
  const sell = () => insertLaptop(shop, seller);
  const [product, second] = [await sell(), await sell()];
  const desk = cardsOf(shop);
  const none = {
    booking: "",
    intent: "",
    payment: "",
    code: "",
    secondBooking: "",
    offer: "",
    meeting: "",
  };
  return { desk, seller, buyer, other, admin, product, second, ...none };
}

/** Maps a verb to the scenario field that stores the id, intent or code from its response. */
const madeBy: Partial<Record<VerbName, keyof Scenario>> = {
  book: "booking",
  bookSecond: "secondBooking",
  askForIntent: "intent",
  recordPayment: "payment",
  issueCode: "code",
  makeOffer: "offer",
  proposeMeeting: "meeting",
};

type Made = { insertedId?: string; clientSecret?: string; code?: string };

/** Prepares a state and then runs the verbs. Throws unless they succeed. */
export const after =
  (prepare: Prepare, ...names: VerbName[]): Prepare =>
  async (context) => {
    let scenario = await prepare(context);
    for (const name of names) {
      const verb: Verb = verbs[name];
      const outcome = await verb(context.executor, scenario);
      if (outcome.result !== "ok") throw new Error(`${name}: ${JSON.stringify(outcome)}`);
      const field = madeBy[name];
      const { insertedId, code, clientSecret = "" } = Object(outcome.answer?.body) as Made;
      if (field) scenario = { ...scenario, [field]: insertedId ?? code ?? intentIn(clientSecret) };
    }
    return scenario;
  };

export const held = after(available, "book");
export const payable = after(held, "askForIntent");
/** Charged by the provider, but not recorded by the shop. */
export const charged = after(payable, "payByCard");
export const paid = after(charged, "recordPayment");
export const refundDue = after(paid, "refund");
/** Refunded in the provider's dashboard, but not recorded by the shop. */
export const refundedElsewhere = after(paid, "refundElsewhere");

/** Prepares a dispute that the shop has not recorded yet. */
const disputed =
  (card: string): Prepare =>
  async (context) => {
    const scenario = await payable(context);
    await scenario.desk.pay(scenario.intent, card);
    const intent = await context.shop.deps.cards.findIntent(scenario.intent);
    const settled = await settlePayment(context.shop.deps, { ...intent, disputes: [] }, "webhook");
    return { ...scenario, payment: settled?.paymentId ?? "" };
  };

export const wholeDispute = disputed("pm_card_createDispute");
export const partialDispute = disputed("pm_card_createPartialDispute");

const payableByFailingCard: Prepare = async (context) => {
  const scenario = await payable(context);
  await scenario.desk.pay(scenario.intent, "pm_card_refundFail");
  return scenario;
};

export const paidByFailingCard = after(payableByFailingCard, "recordPayment");

/** Prepares a refund that the bank has returned. The shop has not recorded the return yet. */
const sentBack = (prepare: Prepare) => after(prepare, "giveBack", "answerRefunds");

/** Prepares a returned refund that the shop has recorded and may try again. */
const dueAgain =
  (prepare: Prepare): Prepare =>
  async (context) => {
    const scenario = await after(prepare, "hearOfPayment")(context);
    context.shop.clock.advance(24 * 60 + 1);
    return scenario;
  };

export const refundFailed = sentBack(after(paidByFailingCard, "refund"));
export const refundDueAgain = dueAgain(refundFailed);
/** The bank has returned the refund three times. */
export const refundGivenUp = dueAgain(sentBack(dueAgain(sentBack(refundDueAgain))));

/** Prepares a charge for an expired hold, a state that no order of verbs reaches. */
export async function late(context: Context): Promise<Scenario> {
  const scenario = await charged(context);
  const { db, clock } = context.shop.deps;
  await db.transaction().execute(async (tx) => {
    const { booking, product } = scenario;
    await tx.updateTable("bookings").set({ state: "expired" }).where("id", "=", booking).execute();
    const free = { sales_status: "available" } as const;
    await tx.updateTable("products").set(free).where("id", "=", product).execute();
    const by = { at: clock.now(), actor: null, object: "booking", objectId: booking } as const;
    await recordAudit(tx, { ...by, verb: "expire" });
  });
  return scenario;
}

export async function oneHoldLeft(context: Context): Promise<Scenario> {
  const scenario = await available(context);
  for (let holds = 0; holds < 4; holds += 1) {
    const product = await insertLaptop(context.shop, scenario.seller);
    await after(async () => ({ ...scenario, product }), "book")(context);
  }
  return scenario;
}

export const overdue = (prepare: Prepare) => async (context: Context) => {
  const scenario = await prepare(context);
  context.shop.clock.advance(context.shop.deps.config.times.holdHours * 60);
  return scenario;
};
