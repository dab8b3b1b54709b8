import { recordAudit } from "#server/db/record-audit.ts";
import { settlePayment } from "#server/features/booking-lifecycle/settle-payment.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { insertProduct } from "#server/testing/insert-product.ts";
import { createMember } from "#server/testing/people.ts";
import { connectBank } from "#server/testing/settlements.ts";
import type { Shop } from "#server/testing/shop.ts";
import type { Executor } from "./executor.ts";
import { type Scenario, type Verb, type VerbName, verbs } from "./verbs.ts";

type Context = { shop: Shop; executor: Executor };

export type InitialState = {
  /** Creates the state before the two verbs run. */
  prepare(context: Context): Promise<Scenario>;
  verbs: VerbName[];
  /** Pairs of which exactly one succeeds, in any order. */
  rivals?: [VerbName, VerbName][];
  /** Verbs that the brief run, too, interrupts at every step. */
  interrupted?: VerbName[];
};

export async function available({ shop }: Context): Promise<Scenario> {
  const [seller, buyer, other, admin] = await Promise.all([
    createMember(shop, { accountType: "seller" }),
    createMember(shop),
    createMember(shop),
    createMember(shop, { isAdmin: true }),
  ]);
  const sell = () => insertProduct(shop.deps.db, shop.clock.now(), { seller_id: seller.id });
  const [product, second] = [await sell(), await sell()];
  const desk = cardsOf(shop);
  const none = { booking: "", intent: "", payment: "" };
  return { desk, seller, buyer, other, admin, product, second, ...none };
}

/** Runs a verb that has to succeed. */
async function then({ executor }: Context, scenario: Scenario, name: VerbName) {
  const verb: Verb = verbs[name];
  const outcome = await verb(executor, scenario);
  if (outcome.result !== "ok") throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  return { id: outcome.done[0]?.id ?? "", answer: JSON.stringify(outcome.answer) };
}

async function held(context: Context): Promise<Scenario> {
  const scenario = await available(context);
  return { ...scenario, booking: (await then(context, scenario, "book")).id };
}

async function payable(context: Context): Promise<Scenario> {
  const scenario = await held(context);
  const { answer } = await then(context, scenario, "askForIntent");
  return { ...scenario, intent: /pi_[^_"]+/.exec(answer)?.[0] ?? "" };
}

/** Charged at the provider, not recorded here. */
async function charged(context: Context): Promise<Scenario> {
  const scenario = await payable(context);
  await then(context, scenario, "payByCard");
  return scenario;
}

async function paid(context: Context): Promise<Scenario> {
  const scenario = await charged(context);
  return { ...scenario, payment: (await then(context, scenario, "recordPayment")).id };
}

async function refundDue(context: Context): Promise<Scenario> {
  const scenario = await paid(context);
  await then(context, scenario, "refund");
  return scenario;
}

/** Paid by a card whose holder disputes the payment; the dispute is not recorded here. */
const disputed =
  (card: string): InitialState["prepare"] =>
  async (context) => {
    const scenario = await payable(context);
    await scenario.desk.pay(scenario.intent, card);
    const intent = await context.shop.deps.cards.findIntent(scenario.intent);
    const settled = await settlePayment(context.shop.deps, { ...intent, disputes: [] }, "webhook");
    return { ...scenario, payment: settled?.paymentId ?? "" };
  };

const wholeDispute = disputed("pm_card_createDispute");
const partialDispute = disputed("pm_card_createPartialDispute");

/** Handed over so long ago that the money is the seller's, who has an account. */
const dueToSeller =
  (prepare: InitialState["prepare"]): InitialState["prepare"] =>
  async (context) => {
    const scenario = await prepare(context);
    await connectBank(scenario.desk, scenario.seller);
    await then(context, scenario, "handOver");
    const { db } = context.shop.deps;
    const long = { since: new Date(0) };
    await db
      .updateTable("settlements")
      .set(long)
      .where("booking_id", "=", scenario.booking)
      .execute();
    return scenario;
  };

/** Continues a state by verbs that have to succeed. */
const after =
  (prepare: InitialState["prepare"], ...names: VerbName[]): InitialState["prepare"] =>
  async (context) => {
    const scenario = await prepare(context);
    for (const name of names) await then(context, scenario, name);
    return scenario;
  };

/** A refund that the bank has sent back; not recorded here. */
async function refundFailed(context: Context): Promise<Scenario> {
  const scenario = await payable(context);
  await scenario.desk.pay(scenario.intent, "pm_card_refundFail");
  const { id: payment } = await then(context, scenario, "recordPayment");
  await then(context, { ...scenario, payment }, "refund");
  return await sendBack(context, { ...scenario, payment });
}

async function sendBack(context: Context, scenario: Scenario): Promise<Scenario> {
  await then(context, scenario, "giveBack");
  await scenario.desk.answerRefunds(scenario.intent);
  return scenario;
}

const aDay = 24 * 60;

async function refundDueAgain(context: Context): Promise<Scenario> {
  const scenario = await refundFailed(context);
  await then(context, scenario, "hearOfPayment");
  context.shop.clock.advance(aDay + 1);
  return scenario;
}

/** Sent back three times. */
async function refundGivenUp(context: Context): Promise<Scenario> {
  const scenario = await refundDueAgain(context);
  for (let again = 0; again < 2; again += 1) {
    await sendBack(context, scenario);
    await then(context, scenario, "hearOfPayment");
    context.shop.clock.advance(aDay + 1);
  }
  return scenario;
}

/** Refunded in the provider's dashboard, not recorded here. */
async function refundedElsewhere(context: Context): Promise<Scenario> {
  const scenario = await paid(context);
  await scenario.desk.refund(scenario.intent);
  return scenario;
}

/** Charged after the hold expired: no order of verbs leads here (decision 0005). */
async function late(context: Context): Promise<Scenario> {
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

async function oneHoldLeft(context: Context): Promise<Scenario> {
  const scenario = await available(context);
  const { deps } = context.shop;
  for (let holds = 0; holds < 4; holds += 1) {
    const product = await insertProduct(deps.db, deps.clock.now(), {
      seller_id: scenario.seller.id,
    });
    await then(context, { ...scenario, product }, "book");
  }
  return scenario;
}

const overdue = (prepare: InitialState["prepare"]) => async (context: Context) => {
  const scenario = await prepare(context);
  context.shop.clock.advance(context.shop.deps.config.holdMinutes);
  return scenario;
};

const gone: VerbName[] = ["deleteProduct", "deleteSeller", "deleteBuyer"];
const news: VerbName[] = ["recordPayment", "hearOfPayment", "reconcile"];
const decisions: VerbName[] = ["hearOfPayment", "reconcile", "refund", "settleRefund"];

/** Each state of a laptop, and the verbs that can run in it. */
export const initialStates: Record<string, InitialState> = {
  "an available laptop": {
    prepare: available,
    verbs: ["book", "bookByOther", "bookSecond", "advertise", ...gone],
    rivals: [
      ["book", "bookByOther"],
      ["book", "deleteProduct"],
      ["bookByOther", "deleteProduct"],
    ],
  },
  "the last hold a buyer may have": {
    prepare: oneHoldLeft,
    verbs: ["book", "bookSecond"],
    rivals: [["book", "bookSecond"]],
  },
  "a held laptop": {
    prepare: held,
    verbs: ["book", "bookByOther", "askForIntent", "cancel", "cancelBySeller", ...gone],
    rivals: [["cancel", "cancelBySeller"]],
  },
  "a hold that has run out": {
    prepare: overdue(held),
    verbs: ["book", "bookByOther", "askForIntent", "cancel", "expire", "reconcile", ...gone],
    rivals: [["book", "bookByOther"]],
  },
  "a hold about to be paid": {
    prepare: payable,
    verbs: ["askForIntent", "payByCard", "cancel", "cancelBySeller", "reconcile", "bookByOther"],
    rivals: [
      ["payByCard", "cancel"],
      ["payByCard", "cancelBySeller"],
    ],
  },
  "a hold that runs out as it is paid": {
    prepare: overdue(payable),
    verbs: ["payByCard", "expire", "book", "bookByOther", "askForIntent", "cancel", "reconcile"],
    rivals: [
      ["payByCard", "bookByOther"],
      ["payByCard", "cancel"],
    ],
  },
  "money we have not heard of": {
    prepare: charged,
    verbs: [...news, "askForIntent", "cancel", "cancelBySeller", "bookByOther", ...gone],
    rivals: [
      ["recordPayment", "cancel"],
      ["recordPayment", "cancelBySeller"],
    ],
  },
  "money we have not heard of, for a hold that has run out": {
    prepare: overdue(charged),
    verbs: [...news, "expire", "book", "bookByOther", "cancel"],
    rivals: [["recordPayment", "bookByOther"]],
  },
  "a paid laptop": {
    prepare: paid,
    verbs: [...news, "refund", "handOver", "bookByOther", ...gone],
    rivals: [["refund", "handOver"]],
  },
  "money that is due to the seller": {
    prepare: dueToSeller(paid),
    verbs: ["release", "refundElsewhere", "hearOfPayment", "refund", "deleteSeller", "deleteBuyer"],
    interrupted: ["release"],
  },
  "money that is due to the seller, and a dispute we have not heard of": {
    prepare: dueToSeller(wholeDispute),
    verbs: ["release", "hearOfPayment", "loseDispute", "winDispute", "settleRefund"],
    interrupted: ["release"],
  },
  "a refund of money that the seller has, which we have not heard of": {
    prepare: after(dueToSeller(paid), "release", "refundElsewhere"),
    verbs: ["release", "hearOfPayment", "settleRefund", "deleteSeller"],
  },
  "money on its way back": {
    prepare: refundDue,
    verbs: [...news, "refund", "giveBack", "handOver", "book", "bookByOther", ...gone],
    rivals: [["bookByOther", "deleteProduct"]],
  },
  "money given back elsewhere": {
    prepare: refundedElsewhere,
    verbs: ["hearOfPayment", "recordPayment", "refund", "bookByOther", ...gone],
  },
  "a dispute we have not heard of": {
    prepare: wholeDispute,
    verbs: [...decisions, "handOver", "cancel", "bookByOther", ...gone],
    rivals: [["refund", "handOver"]],
    interrupted: ["hearOfPayment"],
  },
  "an open dispute": {
    prepare: after(wholeDispute, "hearOfPayment"),
    verbs: [...decisions, "loseDispute", "winDispute", "handOver", "cancel", ...gone],
  },
  "a lost dispute we have not heard of": {
    prepare: after(wholeDispute, "hearOfPayment", "loseDispute"),
    verbs: [...decisions, "handOver", "cancel", "bookByOther", ...gone],
    interrupted: ["hearOfPayment"],
  },
  "a dispute that prevents a refund": {
    prepare: after(wholeDispute, "refund", "giveBack"),
    verbs: [...decisions, "loseDispute", "winDispute", "giveBack", "book", "handOver"],
  },
  "a dispute about a part that is lost": {
    prepare: after(partialDispute, "loseDispute", "hearOfPayment"),
    verbs: [...decisions, "giveBack", "handOver", "cancel", "bookByOther", ...gone],
    rivals: [["refund", "handOver"]],
  },
  "a refund that failed, which we have not heard of": {
    prepare: refundFailed,
    verbs: [...decisions, "giveBack", "handOver", "cancel", "bookByOther", "deleteBuyer"],
    interrupted: ["hearOfPayment"],
  },
  "a refund that is due again": {
    prepare: refundDueAgain,
    verbs: [...decisions, "giveBack", "handOver", "cancel", "deleteBuyer"],
    interrupted: ["giveBack"],
  },
  "a refund that an admin has to see to": {
    prepare: refundGivenUp,
    verbs: [...decisions, "giveBack", "handOver", "deleteBuyer"],
  },
  "money that came late": {
    prepare: late,
    verbs: [...news, "book", "bookByOther", ...gone],
    rivals: [
      ["recordPayment", "bookByOther"],
      ["recordPayment", "deleteProduct"],
    ],
  },
};
