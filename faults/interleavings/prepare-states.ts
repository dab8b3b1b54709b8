import { recordAudit } from "#server/db/record-audit.ts";
import { settlePayment } from "#server/features/money/settle-payment.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { insertProduct } from "#server/testing/insert-product.ts";
import { member, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import type { Executor } from "./executor.ts";
import type { Scenario, Verb } from "./scenario.ts";
import { type VerbName, verbs } from "./verbs.ts";

export type Context = { shop: Shop; executor: Executor };

export type InitialState = {
  prepare(context: Context): Promise<Scenario>;
  verbs: VerbName[];
  /** Exactly one verb of each pair succeeds, in either order. */
  rivals?: [VerbName, VerbName][];
  /** For states that take too long to prepare for `npm test`. */
  onlyInLongRun?: boolean;
  /** Verbs that every run interrupts, even a brief run whose sample leaves them out. */
  interrupted?: VerbName[];
};

/** One per shop, because some verbs email every admin, and each email is a step. */
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
  const sell = () => insertProduct(shop.deps.db, shop.clock.now(), { seller_id: seller.id });
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

/** Throws unless the verb succeeds. */
export async function perform({ executor }: Context, scenario: Scenario, name: VerbName) {
  const verb: Verb = verbs[name];
  const outcome = await verb(executor, scenario);
  if (outcome.result !== "ok") throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  return { id: outcome.done[0]?.id ?? "", answer: JSON.stringify(outcome.answer) };
}

export async function held(context: Context): Promise<Scenario> {
  const scenario = await available(context);
  return { ...scenario, booking: (await perform(context, scenario, "book")).id };
}

export async function payable(context: Context): Promise<Scenario> {
  const scenario = await held(context);
  const { answer } = await perform(context, scenario, "askForIntent");
  return { ...scenario, intent: /pi_[^_"]+/.exec(answer)?.[0] ?? "" };
}

/** Charged by the provider, but not recorded by the shop. */
export async function charged(context: Context): Promise<Scenario> {
  const scenario = await payable(context);
  await perform(context, scenario, "payByCard");
  return scenario;
}

export async function paid(context: Context): Promise<Scenario> {
  const scenario = await charged(context);
  return { ...scenario, payment: (await perform(context, scenario, "recordPayment")).id };
}

export async function refundDue(context: Context): Promise<Scenario> {
  const scenario = await paid(context);
  await perform(context, scenario, "refund");
  return scenario;
}

/** The shop has not recorded the dispute yet. */
const disputed =
  (card: string): InitialState["prepare"] =>
  async (context) => {
    const scenario = await payable(context);
    await scenario.desk.pay(scenario.intent, card);
    const intent = await context.shop.deps.cards.findIntent(scenario.intent);
    const settled = await settlePayment(context.shop.deps, { ...intent, disputes: [] }, "webhook");
    return { ...scenario, payment: settled?.paymentId ?? "" };
  };

export const wholeDispute = disputed("pm_card_createDispute");
export const partialDispute = disputed("pm_card_createPartialDispute");

/** Prepares a state and then runs the verbs, which must succeed. */
export const after =
  (prepare: InitialState["prepare"], ...names: VerbName[]): InitialState["prepare"] =>
  async (context) => {
    const scenario = await prepare(context);
    for (const name of names) await perform(context, scenario, name);
    return scenario;
  };

export async function paidByFailingCard(context: Context): Promise<Scenario> {
  const scenario = await payable(context);
  await scenario.desk.pay(scenario.intent, "pm_card_refundFail");
  return { ...scenario, payment: (await perform(context, scenario, "recordPayment")).id };
}

/** The shop has not recorded the return. */
export async function refundFailed(context: Context): Promise<Scenario> {
  const scenario = await paidByFailingCard(context);
  await perform(context, scenario, "refund");
  return await sendBack(context, scenario);
}

async function sendBack(context: Context, scenario: Scenario): Promise<Scenario> {
  await perform(context, scenario, "giveBack");
  await scenario.desk.answerRefunds(scenario.intent);
  return scenario;
}

const aDay = 24 * 60;

export async function refundDueAgain(context: Context): Promise<Scenario> {
  const scenario = await refundFailed(context);
  await perform(context, scenario, "hearOfPayment");
  context.shop.clock.advance(aDay + 1);
  return scenario;
}

/** The bank has returned the refund three times. */
export async function refundGivenUp(context: Context): Promise<Scenario> {
  const scenario = await refundDueAgain(context);
  for (let again = 0; again < 2; again += 1) {
    await sendBack(context, scenario);
    await perform(context, scenario, "hearOfPayment");
    context.shop.clock.advance(aDay + 1);
  }
  return scenario;
}

/** Refunded in the provider's dashboard, but not recorded by the shop. */
export async function refundedElsewhere(context: Context): Promise<Scenario> {
  const scenario = await paid(context);
  await scenario.desk.refund(scenario.intent);
  return scenario;
}

/** Charged after the hold expired. No order of verbs leads to this state (decisions/money). */
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
  const { deps } = context.shop;
  for (let holds = 0; holds < 4; holds += 1) {
    const product = await insertProduct(deps.db, deps.clock.now(), {
      seller_id: scenario.seller.id,
    });
    await perform(context, { ...scenario, product }, "book");
  }
  return scenario;
}

export const overdue = (prepare: InitialState["prepare"]) => async (context: Context) => {
  const scenario = await prepare(context);
  context.shop.clock.advance(context.shop.deps.config.times.holdHours * 60);
  return scenario;
};
