import type { JournalKind, LedgerAccount } from "#contract/ledger.ts";
import type { DisputeState } from "#contract/life-cycle.ts";
import type { Dispute, Intent, Refund } from "../../adapters/cards/port.ts";

/** Debits are positive, credits negative; zeros are left out. */
export type Entries = Partial<Record<LedgerAccount, number>>;

export type Journal = {
  kind: JournalKind;
  /** Unique, so that an event that is reported twice is posted only once. */
  key: string;
  /** The provider's id for the cause, such as a payment intent, refund or transfer. */
  reference: string | null;
  /** The member whose credit changes. */
  memberId?: string;
  /** The payment's intent, if not the one in `bookings.intent_id`. */
  intentId?: string;
  entries: Entries;
};

/** The journals of one payment of a booking. An event posted before adds nothing. */
export class DealJournals {
  readonly #posted: readonly Journal[];
  readonly #journals: Journal[];
  readonly #intentId: string | undefined;
  readonly #refundedBefore: number;

  constructor(posted: readonly Journal[], intentId?: string) {
    this.#posted = posted;
    this.#journals = [...posted];
    this.#intentId = intentId;
    this.#refundedBefore = this.refunded();
  }

  balance(account: LedgerAccount): number {
    return this.#sum(account, () => true);
  }

  /** Cents of payment, discount and credit that aren't assigned to buyer, seller or fee yet. */
  held(): number {
    return -this.balance("deal_held") - this.balance("dispute_reserve");
  }

  /** Cents owed to the buyer and not sent yet. */
  owed(): number {
    return Math.max(0, -this.balance("buyer_payable"));
  }

  /** Cents owed to the seller and not sent yet. */
  due(): number {
    return Math.max(0, -this.balance("seller_payable"));
  }

  /** Cents of discount and credit that the shop added and didn't take back. */
  contributed(): number {
    return this.balance("marketing") + this.balance("credits");
  }

  /** Cents the seller received and kept. Includes money that paid their debt for another deal. */
  transferred(): number {
    return -this.#sum("stripe_clearing", ({ kind }) => sellerKinds.has(kind));
  }

  /** Cents paid by card, before refunds. */
  charged(): number {
    return this.#cardSum(({ kind }) => kind === "charge");
  }

  /** Cents refunded to the buyer, to their card or by other means. */
  refunded(): number {
    return -this.#cardSum(({ kind }) => refundKinds.has(kind));
  }

  /** Cents paid by card and not returned to the buyer or their bank. */
  paidByCard(): number {
    return this.#cardSum(isOfCard);
  }

  added(): Journal[] {
    return this.#journals.slice(this.#posted.length);
  }

  charge({ id, amountCents }: Pick<Intent, "id" | "amountCents">): void {
    const entries = { stripe_clearing: amountCents, deal_held: -amountCents };
    this.#add("charge", { id, reference: id }, entries);
  }

  /** Posts a refund that the provider has accepted. Returns whether the refund is new. */
  refund({ id, amountCents }: Pick<Refund, "id" | "amountCents">): boolean {
    const isNew = !this.#has(`refund:${id}`);
    const payment = { cents: amountCents, from: "stripe_clearing", to: "deal_held" } as const;
    this.#pay("refund", { id, reference: id }, payment);
    return isNew;
  }

  contribute(id: string, { memberId, discountCents, creditCents }: Contribution): void {
    this.#add("discount", { id }, { marketing: discountCents, deal_held: -discountCents });
    const entries = { credits: creditCents, deal_held: -creditCents };
    this.#add("credit_spent", { id, memberId }, entries);
  }

  /** Undoes up to `max` cents of the shop's contribution: the credit first, then the discount. */
  returnContribution(id: string, max: number): void {
    const wanted = Math.min(max, this.contributed());
    this.#undoRelease(`contribution:${id}`, wanted - this.held());
    const cents = Math.max(0, Math.min(wanted, this.held()));
    const credit = Math.min(cents, this.balance("credits"));
    const memberId = this.#journals.find(({ kind }) => kind === "credit_spent")?.memberId;
    const discount = cents - credit;
    const memberEvent = memberId === undefined ? { id } : { id, memberId };
    this.#add("credit_returned", memberEvent, { deal_held: credit, credits: -credit });
    this.#add("discount_returned", { id }, { deal_held: discount, marketing: -discount });
  }

  /** Takes the discount out of the deal. Returns the cents taken. */
  takeBackDiscount(id: string): number {
    const wanted = Math.max(0, this.balance("marketing"));
    this.#undoRelease(`discount:${id}`, wanted - this.held());
    const cents = Math.max(0, Math.min(wanted, this.held()));
    const entries = { deal_held: cents, marketing: -cents };
    this.#add("discount_returned", { id: `${id}:refused` }, entries);
    return cents;
  }

  count(kind: JournalKind): number {
    return this.#journals.filter((one) => one.kind === kind).length;
  }

  /** Assigns up to `wanted` cents paid by card to the buyer. Returns the newly owed cents. */
  decideRefund(id: string, wanted: number): number {
    const max = Math.min(wanted, this.paidByCard() - this.owed());
    this.#undoRelease(`refund:${id}`, max - this.held());
    const cents = Math.max(0, Math.min(max, this.held()));
    this.#add("refund_decided", { id }, { deal_held: cents, buyer_payable: -cents });
    return cents;
  }

  /** Assigns the deal's money, minus the fee, to the seller. Returns the cents to send. */
  release(id: string, feeOf: (cents: number) => number): number {
    const before = { payable: this.due(), fee: -this.balance("fee_revenue") };
    const free = Math.max(0, this.held());
    const available = free + before.payable + before.fee;
    const fee = Math.min(available, feeOf(available + this.transferred()));
    const payable = available - fee;
    const entries = { seller_payable: before.payable - payable, fee_revenue: before.fee - fee };
    this.#add("release", { id }, { deal_held: free, ...entries });
    return payable;
  }

  /** Undoes the release. Cancels the fee only if the seller has no money from the deal. */
  recallAll(id: string): void {
    const fee = this.transferred() > 0 ? 0 : -this.balance("fee_revenue");
    this.#undoRelease(id, this.due() + Math.max(0, fee));
  }

  transfer({ id, cents }: { id: string; cents: number }): void {
    const sellerCents = Math.min(cents, this.due());
    const dealCents = Math.min(cents - sellerCents, Math.max(0, this.held()));
    const entries = { seller_payable: sellerCents, deal_held: dealCents };
    const owing = { seller_receivable: cents - sellerCents - dealCents };
    this.#add("transfer", { id, reference: id }, { stripe_clearing: -cents, ...entries, ...owing });
  }

  reverseTransfer({ id, cents }: { id: string; cents: number }): void {
    const owing = Math.min(cents, this.balance("seller_receivable"));
    const entries = { seller_receivable: -owing, deal_held: owing - cents };
    this.#add("transfer_reversal", { id, reference: id }, { stripe_clearing: cents, ...entries });
  }

  /** Posts that another deal pays the seller's debt for this deal. `id` is unique per payment. */
  receiveSetOff(id: string, cents: number): void {
    const entries = { stripe_clearing: cents, seller_receivable: -cents };
    this.#add("set_off", { id: `${id}:from` }, entries);
  }

  /** Posts that this deal pays the seller's debt for another deal. */
  paySetOff(id: string, cents: number): void {
    const entries = { stripe_clearing: -cents, seller_payable: cents };
    this.#add("set_off", { id: `${id}:to` }, entries);
  }

  /** Posts that an admin sent the buyer money by other means. `id` is unique per payment. */
  sendRefund(id: string, cents: number): void {
    this.#pay("refund_sent", { id }, { cents, from: "shop_bank", to: "deal_held" });
  }

  /** Posts a dispute's withdrawals and returns (`movements`) in order, and the bank's decision. */
  dispute({ id, movements }: Pick<Dispute, "id" | "movements">, state: DisputeState): void {
    if (state !== "lost") this.#decideDispute(id, false);
    for (const [index, cents] of movements.entries()) {
      const isSame = (one: number) => Math.sign(one) === Math.sign(cents);
      const number = movements.slice(0, index + 1).filter(isSame).length;
      if (cents < 0) this.#withdraw({ id, number, cents: -cents });
      else this.#reinstate({ id, number, cents });
    }
    if (state === "lost") this.#decideDispute(id, true);
  }

  /** Undoes a refund that the bank returned. The buyer is owed what they don't have already. */
  failRefund(id: string): void {
    const taken = this.#journals.find(({ key }) => key === `refund:${id}`)?.entries ?? {};
    const cents = -(taken.stripe_clearing ?? 0);
    const missing = Math.max(0, this.#refundedBefore - this.refunded() + cents);
    const max = Math.max(0, this.paidByCard() + cents - this.owed());
    const isKnown = this.#posted.some(({ key }) => key === `refund:${id}`);
    const buyerCents = isKnown ? Math.min(cents, missing, max) : (taken.buyer_payable ?? 0);
    const entries = { buyer_payable: -buyerCents, deal_held: buyerCents - cents };
    this.#add("refund_failed", { id, reference: id }, { stripe_clearing: cents, ...entries });
  }

  /** Uses the deal's money to cover the seller's debt, then the shop's loss, then the lost fee. */
  coverLoss(bookingId: string): void {
    const sellerCents = Math.max(0, Math.min(this.held(), this.balance("seller_receivable")));
    const lost = Math.max(0, Math.min(this.held() - sellerCents, this.balance("platform_loss")));
    const event = { id: `${bookingId}:${this.count("loss_covered") + 1}` };
    const entries = { deal_held: sellerCents + lost, seller_receivable: -sellerCents };
    this.#add("loss_covered", event, { ...entries, platform_loss: -lost });
    if (this.transferred() === 0) return;
    const agreed = -this.#sum("fee_revenue", ({ kind }) => kind === "release");
    const fee = Math.min(this.held(), agreed + this.balance("fee_revenue"));
    const release = { id: `${bookingId}:${this.count("release") + 1}` };
    if (fee > 0) this.#add("release", release, { deal_held: fee, fee_revenue: -fee });
  }

  #add(kind: JournalKind, { id, reference = null, memberId }: EventId, entries: Entries): void {
    const key = `${kind}:${id}`;
    const nonZero = Object.entries(entries).filter(([, cents]) => cents !== 0);
    if (this.#has(key) || nonZero.length === 0) return;
    const about = {
      ...(memberId !== undefined && { memberId }),
      ...(this.#intentId !== undefined && { intentId: this.#intentId }),
    };
    this.#journals.push({ kind, key, reference, ...about, entries: Object.fromEntries(nonZero) });
  }

  /**
   * Pays from the buyer's claim first, then from the deal's money, even if owed to the seller. The
   * seller owes the shortfall, up to what they received. The shop bears any excess.
   */
  #pay(kind: JournalKind, event: EventId, { cents, from, to }: Payment): void {
    if (this.#has(`${kind}:${event.id}`)) return;
    const buyerCents = Math.min(cents, this.owed());
    const rest = cents - buyerCents;
    this.#undoRelease(`${kind}:${event.id}`, rest - this.held());
    const dealCents = Math.max(0, Math.min(rest, this.held()));
    const sellerCents = Math.min(
      rest - dealCents,
      this.transferred() - this.balance("seller_receivable"),
    );
    const entries = { [from]: -cents, buyer_payable: buyerCents, seller_receivable: sellerCents };
    this.#add(kind, event, {
      ...entries,
      [to]: dealCents,
      platform_loss: rest - dealCents - sellerCents,
    });
  }

  /** Takes up to `wanted` cents back from the seller's unsent money, then from the fee. */
  #undoRelease(id: string, wanted: number): void {
    const sellerCents = Math.max(0, Math.min(wanted, this.due()));
    const feeCents = Math.max(0, Math.min(wanted - sellerCents, -this.balance("fee_revenue")));
    const entries = {
      deal_held: -sellerCents - feeCents,
      seller_payable: sellerCents,
      fee_revenue: feeCents,
    };
    this.#add("release_undone", { id }, entries);
  }

  #disputeSum(account: LedgerAccount, id: string, kinds: ReadonlySet<JournalKind>): number {
    return this.#sum(account, ({ kind, reference }) => reference === id && kinds.has(kind));
  }

  #decideDispute(id: string, isLost: boolean): void {
    const kind = isLost ? "dispute_lost" : "dispute_reversed";
    const account = isLost ? "dispute_reserve" : "deal_held";
    const cents = this.#disputeSum(account, id, reserveKinds);
    const times = this.#journals.filter((one) => one.kind === kind && one.reference === id).length;
    const event = { id: `${id}:${times + 1}`, reference: id };
    const sign = isLost ? 1 : -1;
    if (cents > 0)
      this.#add(kind, event, { deal_held: sign * cents, dispute_reserve: -sign * cents });
  }

  #withdraw({ id, number, cents }: Movement): void {
    const event = { id: `${id}:${number}`, reference: id };
    const payment = { cents, from: "stripe_clearing", to: "dispute_reserve" } as const;
    this.#pay("dispute_withdrawn", event, payment);
  }

  /**
   * Posts that the bank returned disputed money. The buyer is owed the refund that the withdrawal
   * had settled, up to what is left of the card payment.
   */
  #reinstate({ id, number, cents }: Movement): void {
    const max = Math.max(0, this.paidByCard() + cents - this.owed());
    const buyerCents = Math.min(cents, max, this.#disputeSum("buyer_payable", id, disputeKinds));
    const rest = cents - buyerCents;
    const reserved = Math.min(rest, this.#disputeSum("dispute_reserve", id, reserveKinds));
    const event = { id: `${id}:${number}`, reference: id };
    this.#add("dispute_reinstated", event, {
      stripe_clearing: cents,
      buyer_payable: -buyerCents,
      dispute_reserve: -reserved,
      deal_held: reserved - rest,
    });
  }

  #sum(account: LedgerAccount, isCounted: (journal: Journal) => boolean): number {
    return this.#journals
      .filter(isCounted)
      .reduce((cents, { entries }) => cents + (entries[account] ?? 0), 0);
  }

  #cardSum(isCounted: (journal: Journal) => boolean): number {
    return this.#sum("stripe_clearing", isCounted) + this.#sum("shop_bank", isCounted);
  }

  #has(key: string): boolean {
    return this.#journals.some((one) => one.key === key);
  }
}

const sellerKinds = new Set<JournalKind>(["transfer", "transfer_reversal", "set_off"]);
const refundKinds = new Set<JournalKind>(["refund", "refund_failed", "refund_sent"]);
const disputeKinds = new Set<JournalKind>(["dispute_withdrawn", "dispute_reinstated"]);
const reserveKinds = new Set<JournalKind>([...disputeKinds, "dispute_lost", "dispute_reversed"]);
const isOfCard = ({ kind }: Journal) =>
  kind === "charge" || refundKinds.has(kind) || disputeKinds.has(kind);

type EventId = { id: string; reference?: string | null; memberId?: string };
type Contribution = { memberId: string; discountCents: number; creditCents: number };
/** Money taken or returned in the dispute `id`. Each direction is numbered from 1. */
type Movement = { id: string; number: number; cents: number };
type Payment = { cents: number; from: LedgerAccount; to: LedgerAccount };
