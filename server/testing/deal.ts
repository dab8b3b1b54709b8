import { listAuditLog } from "#contract/audit.ts";
import { complain, decideComplaint } from "#contract/complaints.ts";
import { readDealRecord, settleLeftover } from "#contract/deal-records.ts";
import { confirmHandover, confirmHandoverByCode, issueHandoverCode } from "#contract/handover.ts";
import { listPayments } from "#contract/payments.ts";
import { toCents } from "#contract/price.ts";
import { refundBooking, settleRefund } from "#contract/refunds.ts";
import type { Dispute } from "../adapters/cards/port.ts";
import { postedJournals } from "../features/ledger/post-journal.ts";
import { recordReversals } from "../features/money/reverse-transfers.ts";
import { refundPayment } from "../features/money/send-refund.ts";
import { settlePayment } from "../features/money/settle-payment.ts";
import { settleIntent } from "../features/money/webhook-events.ts";
import type { CardProvider } from "./cards.ts";
import { insertLaptop } from "./insert-laptop.ts";
import {
  bookLaptop,
  callsOver,
  type Deal,
  goodLaptop,
  openPayment,
  sendRecordPayment,
} from "./marketplace.ts";
import { member, type Person } from "./people.ts";
import { give } from "./rewards.ts";
import {
  connectBank,
  handOver,
  hour,
  paymentsFor,
  readOrder,
  settlementOf,
  wait,
} from "./settlements.ts";
import type { Shop } from "./shop.ts";

/** A test card whose holder disputes the payment at once. */
export const disputing = "pm_card_createDisputeProductNotReceived";

type Terms = {
  /** By default, new members. */
  seller?: Person;
  buyer?: Person;
  /** A laptop for sale. By default, a new one without photo files. */
  product?: string;
  /** In dollars. */
  price?: number;
  /** The buyer's test card. */
  paidBy?: string;
  /** Dollars of credit that the buyer gets first. */
  credit?: number;
  /** The shop's fee, in percent, when the laptop is held. */
  feePercent?: number;
  /** Whether the seller has connected a bank account. By default, only if `released`. */
  bank?: boolean;
};

type Step = { after?: State; take(sale: Sale, terms: Terms): Promise<unknown> };
type State = "held" | "charged" | "paid" | "disputed" | "handedOver" | "complained" | "released";

const steps: Record<State, Step> = {
  held: { take: async () => {} },
  /** The provider has the money, but the buyer's browser has not reported the payment yet. */
  charged: { after: "held", take: ({ cards, intent }, { paidBy }) => cards.pay(intent, paidBy) },
  paid: { after: "charged", take: (sale) => sale.report() },
  disputed: { after: "paid", take: async () => {} },
  handedOver: { after: "paid", take: (sale) => sale.handOver() },
  complained: { after: "handedOver", take: (sale) => sale.complain() },
  /** The buyer's complaint period has ended, and the seller has been paid. */
  released: { after: "handedOver", take: ({ shop }) => wait(shop, 72 * hour) },
};

/** Creates a deal in `state`. */
export async function deal(shop: Shop, state: State, terms: Terms = {}): Promise<Sale> {
  const seller = terms.seller ?? (await member(shop, { accountType: "seller" }));
  const buyer = terms.buyer ?? (await member(shop));
  const { price = goodLaptop.resale_price, credit } = terms;
  if (credit !== undefined) await give(shop, buyer, credit);
  if (terms.bank ?? state === "released") await connectBank(shop.cards, seller);
  const product =
    terms.product ?? (await insertLaptop(shop, seller, { resale_cents: toCents(price) }));
  const { settlement } = shop.deps.config;
  const { feePercent = settlement.feePercent } = terms;
  shop.deps.config.settlement = { ...settlement, feePercent };
  const booking = await bookLaptop(buyer, product, { price }).finally(() => {
    shop.deps.config.settlement = settlement;
  });
  const intent = await openPayment(buyer, booking, price);
  const sale = new Sale(shop, { seller, buyer, product, booking, intent, price });
  await take(state, sale, { ...(state === "disputed" && { paidBy: disputing }), ...terms });
  return sale;
}

async function take(state: State, sale: Sale, terms: Terms): Promise<void> {
  const { after, take: last } = steps[state];
  if (after) await take(after, sale, terms);
  await last(sale, terms);
}

type Facts = Deal<Person> & { seller: Person; price: number };

export class Sale implements Facts {
  readonly shop: Shop;
  readonly seller: Person;
  readonly buyer: Person;
  readonly product: string;
  readonly booking: string;
  readonly intent: string;
  /** In dollars. */
  readonly price: number;

  constructor(shop: Shop, { seller, buyer, product, booking, intent, price }: Facts) {
    this.shop = shop;
    this.seller = seller;
    this.buyer = buyer;
    this.product = product;
    this.booking = booking;
    this.intent = intent;
    this.price = price;
  }

  /** This is a getter, because a shop without a sandbox has no `cards`. */
  get cards(): CardProvider {
    return this.shop.cards;
  }

  get at() {
    return { params: { id: this.booking } };
  }

  /** The terms for another deal about the same laptop. */
  get laptop() {
    return { seller: this.seller, product: this.product };
  }

  /** The deal's ledger balances in cents, without zeros. */
  async money() {
    const ledger = this.shop.deps.db
      .selectFrom("deal_ledger")
      .where("booking_id", "=", this.booking);
    const row = await ledger
      .select(["held", "transferred", "fee", "refunded", "lost", "owed", "contributed"])
      .executeTakeFirst();
    const cents = Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)] as const);
    return Object.fromEntries(cents.filter(([, value]) => value !== 0));
  }

  /** Lists journals, oldest first, each with its kind, the provider's id, and cents by account. */
  async journals() {
    const posted = await postedJournals(this.shop.deps.db, this.booking);
    return posted.map(({ kind, reference, entries }) => [kind, reference, entries]);
  }

  settlement() {
    return settlementOf(this.shop, this);
  }

  transfers() {
    return this.#moves("transfer");
  }

  refunds() {
    return this.#moves("refund");
  }

  async #moves(kind: "transfer" | "refund") {
    return await this.shop.deps.db
      .selectFrom("money_moves")
      .selectAll()
      .where("booking_id", "=", this.booking)
      .where("kind", "=", kind)
      .orderBy("attempt")
      .execute();
  }

  payments() {
    return paymentsFor(this.shop, this);
  }

  order() {
    return readOrder(this);
  }

  async payment(admin: Person) {
    const [payment] = await admin.call(listPayments, { query: { search: this.intent } });
    return payment;
  }

  async dispute(admin: Person) {
    return (await this.payment(admin))?.dispute;
  }

  /** Lists the payment's audit rows, oldest first. */
  async audit(admin: Person) {
    const objectId = (await this.payment(admin))?._id;
    return (await admin.call(listAuditLog, { query: { objectId } })).reverse();
  }

  async record(admin: Person) {
    return await admin.call(readDealRecord, this.at);
  }

  /** Reports the payment, as the browser of the buyer or, with `by`, of another user. */
  async report(by = this.buyer) {
    return await sendRecordPayment(this, by);
  }

  async pay(card?: string): Promise<void> {
    await this.cards.pay(this.intent, card);
    await this.report();
  }

  async handOver(): Promise<void> {
    await handOver(this);
  }

  /** Issues the buyer's code for the handover or return. */
  async newCode(key?: string): Promise<string> {
    const { call } = callsOver({ ...this.buyer.connection, key });
    return (await call(issueHandoverCode, { body: { id: this.booking } })).code;
  }

  /** Enters a code as the seller. */
  async enterCode(code: string): Promise<void> {
    await this.seller.call(confirmHandoverByCode, { body: { id: this.booking, code } });
  }

  async complain(words = "Dead keys."): Promise<void> {
    const body = { bookingId: this.booking, reason: "not_working" as const, words };
    await this.buyer.call(complain, { body });
  }

  /** Decides the complaint: refunds `refund` dollars without waiting for the laptop's return. */
  async decide(admin: Person, refund: number): Promise<void> {
    await admin.call(decideComplaint, {
      ...this.at,
      body: { refund, words: "Decided.", atOnce: true },
    });
  }

  async returned(): Promise<void> {
    await this.seller.call(confirmHandover, { body: { id: this.booking } });
  }

  /** Asks for a full refund. Returns the payment's id. */
  async refund(admin: Person): Promise<string> {
    const body = { bookingId: this.booking };
    return (await admin.call(refundBooking, { body })).insertedId;
  }

  async sendAnotherWay(admin: Person): Promise<void> {
    const { _id: paymentId = "" } = (await this.payment(admin)) ?? {};
    await admin.call(settleRefund, { body: { paymentId } });
  }

  /** Sends leftover dollars, or dollars that can't reach the seller. */
  async sendLeftover(
    admin: Person,
    to: "buyer" | "seller",
    amount: number,
    reason = "",
  ): Promise<void> {
    await admin.call(settleLeftover, { ...this.at, body: { to, amount, reason } });
  }

  async sendRefund(): Promise<void> {
    for (const { id } of await this.payments()) await refundPayment(this.shop.deps, id);
  }

  /** Sends the refund, and runs the jobs about deals. */
  async finishRefund(): Promise<void> {
    await this.sendRefund();
    await wait(this.shop, 2);
  }

  /** Lists the payment's refunds at the provider. */
  async refundsAtProvider() {
    const { refunds } = await this.cards.ledger();
    return refunds.filter(({ payment_intent }) => payment_intent === this.intent);
  }

  /** Reads the payment from the provider, as after a webhook. */
  async refresh(): Promise<void> {
    await settleIntent(this.shop.deps, this.intent);
  }

  /** Makes a refund at the provider. Without `cents`, refunds the rest of the payment. */
  async refundElsewhere(cents?: number): Promise<void> {
    await this.cards.refund(this.intent, cents);
    await this.refresh();
  }

  /** Makes the buyer's bank return the newest refund, without refreshing the payment. */
  async returnRefund(): Promise<void> {
    const { refunds } = await this.shop.deps.cards.findIntent(this.intent);
    await this.cards.failRefund(refunds[0]?.id ?? "");
  }

  /** Reverses the transfer, as in the provider's dashboard. */
  async takeBack(cents: number): Promise<void> {
    await this.cards.reverseTransfer(this.booking, cents);
    await recordReversals(this.shop.deps, this.booking);
  }

  async decideDispute(evidence: Parameters<CardProvider["answerDispute"]>[1]): Promise<void> {
    await this.cards.answerDispute(this.intent, evidence);
    await this.refresh();
  }

  async flipDispute(): Promise<void> {
    await this.cards.flipDispute(this.intent);
    await this.refresh();
  }

  /**
   * Reports a dispute that doesn't exist at the provider. `movements`: cents that the bank took
   * (negative) or returned (positive). The first is the disputed amount.
   */
  async reportDispute({ state, movements }: Pick<Dispute, "state" | "movements">): Promise<void> {
    const { deps, clock } = this.shop;
    const intent = await deps.cards.findIntent(this.intent);
    const amountCents = -(movements[0] ?? 0);
    const one = { id: `du_${this.booking}`, reason: "fraudulent", amountCents };
    const at = { respondBy: null, openedAt: clock.now() };
    const disputes = [{ ...one, ...at, state, movements }];
    await settlePayment(deps, { ...intent, disputes }, "webhook");
  }
}
