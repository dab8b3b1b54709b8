import { complain, decideComplaint } from "#contract/complaints.ts";
import { readDealRecord, settleLeftover } from "#contract/deal-records.ts";
import { confirmHandover } from "#contract/handover.ts";
import { refundBooking, settleRefund } from "#contract/payments.ts";
import { recordReversals } from "../features/money/record-reversals.ts";
import { settleIntent } from "../features/money/store-webhook-event.ts";
import type { CardProvider } from "./cards.ts";
import { sendRefund } from "./credits.ts";
import { paymentsFor, readOrder } from "./deals.ts";
import { disputeOf, findPayment, paymentAudit, reportDispute } from "./disputes.ts";
import { type Deal, sendRecordPayment } from "./marketplace.ts";
import type { Person } from "./people.ts";
import { handOver, moneyOf, refundsOf, settlementOf, transfersOf } from "./settlements.ts";
import type { Shop } from "./shop.ts";

type Facts = Deal<Person> & { seller: Person; price: number };

/** A sale that `deal()` made: its state, and actions of members, the provider and the bank. */
export class Sale implements Facts {
  readonly shop: Shop;
  readonly cards: CardProvider;
  readonly seller: Person;
  readonly buyer: Person;
  readonly product: string;
  readonly booking: string;
  readonly intent: string;
  /** The price in dollars. */
  readonly price: number;

  constructor(shop: Shop, { seller, buyer, product, booking, intent, price }: Facts) {
    this.shop = shop;
    this.cards = shop.cards;
    this.seller = seller;
    this.buyer = buyer;
    this.product = product;
    this.booking = booking;
    this.intent = intent;
    this.price = price;
  }

  /** The parameters for API calls about this sale. */
  get at() {
    return { params: { id: this.booking } };
  }

  /** The terms for another deal about the same laptop. */
  get laptop() {
    return { seller: this.seller, product: this.product };
  }

  /** The amounts of the sale in the ledger, in cents. */
  money() {
    return moneyOf(this.shop, this);
  }

  settlement() {
    return settlementOf(this.shop, this);
  }

  /** The attempts to transfer the sale's money to the seller, oldest first. */
  transfers() {
    return transfersOf(this.shop, this);
  }

  /** The attempts to refund the sale, oldest first. */
  refunds() {
    return refundsOf(this.shop, this);
  }

  payments() {
    return paymentsFor(this.shop, this);
  }

  /** The order as the buyer sees it. */
  order() {
    return readOrder(this);
  }

  /** The payment as an admin sees it. */
  async payment(admin: Person) {
    return await findPayment(admin, this);
  }

  async dispute(admin: Person) {
    return await disputeOf(admin, this);
  }

  /** The audit log entries of the payment, oldest first. */
  async audit(admin: Person) {
    return await paymentAudit(admin, this);
  }

  async record(admin: Person) {
    return await admin.call(readDealRecord, this.at);
  }

  /** The browser of the buyer, or of another user, reports the payment. */
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

  async complain(words = "Dead keys."): Promise<void> {
    const body = { bookingId: this.booking, reason: "not_working" as const, words };
    await this.buyer.call(complain, { body });
  }

  /** An admin decides to refund the buyer `refund` dollars at once. */
  async decide(admin: Person, refund: number): Promise<void> {
    await admin.call(decideComplaint, {
      ...this.at,
      body: { refund, words: "Decided.", atOnce: true },
    });
  }

  /** The seller confirms that the laptop came back. */
  async returned(): Promise<void> {
    await this.seller.call(confirmHandover, { body: { id: this.booking } });
  }

  /** An admin refunds the whole payment. Returns the payment's id. */
  async refund(admin: Person): Promise<string> {
    const body = { bookingId: this.booking };
    return (await admin.call(refundBooking, { body })).insertedId;
  }

  /** An admin marks a failed refund as sent by other means. */
  async sendAnotherWay(admin: Person): Promise<void> {
    const { _id: paymentId = "" } = (await this.payment(admin)) ?? {};
    await admin.call(settleRefund, { body: { paymentId } });
  }

  /**
   * An admin sends leftover dollars, or dollars that can't reach the seller, to the buyer or the
   * seller.
   */
  async sendLeftover(
    admin: Person,
    to: "buyer" | "seller",
    amount: number,
    reason = "",
  ): Promise<void> {
    await admin.call(settleLeftover, { ...this.at, body: { to, amount, reason } });
  }

  /** The refund job sends the due refunds. */
  async sendRefund(): Promise<void> {
    await sendRefund(this.shop, this);
  }

  /** The shop reads the payment from the provider, as after a webhook. */
  async refresh(): Promise<void> {
    await settleIntent(this.shop.deps, this.intent);
  }

  /** An admin refunds `cents`, or all, in the provider's dashboard. The shop reads the refund. */
  async refundElsewhere(cents?: number): Promise<void> {
    await this.cards.refund(this.intent, cents);
    await this.refresh();
  }

  /** The buyer's bank returns the newest refund. The shop has not been notified yet. */
  async returnRefund(): Promise<void> {
    const { refunds } = await this.shop.deps.cards.findIntent(this.intent);
    await this.cards.failRefund(refunds[0]?.id ?? "");
  }

  /** An admin takes `cents` back from the seller in the provider's dashboard. */
  async takeBack(cents: number): Promise<void> {
    await this.cards.reverseTransfer(this.booking, cents);
    await recordReversals(this.shop.deps, this.booking);
  }

  /** The buyer's bank decides the dispute, and the shop reads the decision. */
  async decideDispute(evidence: Parameters<CardProvider["answerDispute"]>[1]): Promise<void> {
    await this.cards.answerDispute(this.intent, evidence);
    await this.refresh();
  }

  /** The bank reverses its decision, and the shop reads the new decision. */
  async flipDispute(): Promise<void> {
    await this.cards.flipDispute(this.intent);
    await this.refresh();
  }

  async reportDispute(dispute: Parameters<typeof reportDispute>[2]): Promise<void> {
    await reportDispute(this.shop, this, dispute);
  }
}
