import type { JournalKind, LedgerAccount } from "#contract/ledger.ts";
import type { DisputeState } from "#contract/life-cycle.ts";
import type { Dispute, Intent, Refund } from "../../adapters/cards/port.ts";

/** Debits are positive, credits negative; zeros are left out. */
export type Entries = Partial<Record<LedgerAccount, number>>;

export type Journal = {
  kind: JournalKind;
  /** Unique: an event is posted once, however often it is reported. */
  key: string;
  /** The provider's payment intent, refund or dispute. */
  reference: string | null;
  /** Whose credit it changes. */
  memberId?: string;
  /** The payment intent of the payment that it is about. */
  intentId?: string;
  entries: Entries;
};

export type DealJournals = ReturnType<typeof dealJournals>;

/**
 * The journals of one payment of a booking, to which events are added; an event that was posted before adds nothing.
 * `intentId`: the payment, if it is not the booking's own.
 */
export function dealJournals(posted: readonly Journal[], intentId?: string) {
  const journals = [...posted];
  const sum = (account: LedgerAccount, isCounted: (journal: Journal) => boolean): number =>
    journals.filter(isCounted).reduce((cents, { entries }) => cents + (entries[account] ?? 0), 0);
  const balance = (account: LedgerAccount) => sum(account, () => true);
  const has = (key: string) => journals.some((one) => one.key === key);
  const cardSum = (isCounted: (journal: Journal) => boolean) =>
    sum("stripe_clearing", isCounted) + sum("shop_bank", isCounted);
  /** What nobody has decided about: of the buyer, and as discount or credit. */
  const held = () => -balance("deal_held") - balance("dispute_reserve");
  /** What the buyer is to get back, and was not sent yet. */
  const owed = () => Math.max(0, -balance("buyer_payable"));
  /** What is the seller's, and was not sent yet. */
  const due = () => Math.max(0, -balance("seller_payable"));
  /** What the shop has added to the buyer's money. */
  const contributed = () => balance("marketing") + balance("credits");
  /** What the seller has of it, or has paid back of it with another deal. */
  const transferred = () => -sum("stripe_clearing", ({ kind }) => sellerKinds.has(kind));
  const charged = () => cardSum(({ kind }) => kind === "charge");
  const refunded = () => -cardSum(({ kind }) => refundKinds.has(kind));
  const paidByCard = () => cardSum(isOfCard);
  const refundedBefore = refunded();

  function add(kind: JournalKind, { id, reference, memberId }: EventId, entries: Entries): void {
    const key = `${kind}:${id}`;
    const nonZero = Object.entries(entries).filter(([, cents]) => cents !== 0);
    if (has(key) || nonZero.length === 0) return;
    const about = {
      ...(memberId !== undefined && { memberId }),
      ...(intentId !== undefined && { intentId }),
    };
    journals.push({ kind, key, reference, ...about, entries: Object.fromEntries(nonZero) });
  }

  /**
   * Takes from the deal: what is owed to the buyer first, then what it holds, also of what is meant for the seller. What
   * is lacking is owed by the seller as far as they were paid, and is the shop's loss beyond that.
   */
  function pay(kind: JournalKind, event: EventId, { cents, from, to }: Payment): void {
    if (has(`${kind}:${event.id}`)) return;
    const ofBuyer = Math.min(cents, owed());
    const rest = cents - ofBuyer;
    undoRelease({ id: `${kind}:${event.id}`, reference: null }, rest - held());
    const ofDeal = Math.max(0, Math.min(rest, held()));
    const ofSeller = Math.min(rest - ofDeal, transferred() - balance("seller_receivable"));
    const entries = { [from]: -cents, buyer_payable: ofBuyer, seller_receivable: ofSeller };
    add(kind, event, { ...entries, [to]: ofDeal, platform_loss: rest - ofDeal - ofSeller });
  }

  /** Takes back up to so many cents of what was meant for the seller and not sent yet, then of the fee. */
  function undoRelease(event: EventId, wanted: number): void {
    const ofSeller = Math.max(0, Math.min(wanted, due()));
    const ofFee = Math.max(0, Math.min(wanted - ofSeller, -balance("fee_revenue")));
    const entries = { deal_held: -ofSeller - ofFee, seller_payable: ofSeller, fee_revenue: ofFee };
    add("release_undone", event, entries);
  }

  /** Gives back what the seller owed, then what the shop had paid for the deal, once the deal has money again. */
  function coverLoss(bookingId: string): void {
    const ofSeller = Math.max(0, Math.min(held(), balance("seller_receivable")));
    const lost = Math.max(0, Math.min(held() - ofSeller, balance("platform_loss")));
    const times = journals.filter(({ kind }) => kind === "loss_covered").length;
    const event = { id: `${bookingId}:${times + 1}`, reference: null };
    const entries = { deal_held: ofSeller + lost, seller_receivable: -ofSeller };
    add("loss_covered", event, { ...entries, platform_loss: -lost });
  }

  /** A refund that the bank has sent back: the buyer is owed what they had before, unless others replace it. */
  function failRefund(id: string): void {
    const taken = journals.find(({ key }) => key === `refund:${id}`)?.entries ?? {};
    const cents = -(taken.stripe_clearing ?? 0);
    const lacks = Math.max(0, refundedBefore - refunded() + cents);
    const most = Math.max(0, paidByCard() + cents - owed());
    const isKnown = posted.some(({ key }) => key === `refund:${id}`);
    const ofBuyer = isKnown ? Math.min(cents, lacks, most) : (taken.buyer_payable ?? 0);
    const entries = { buyer_payable: -ofBuyer, deal_held: ofBuyer - cents };
    add("refund_failed", { id, reference: id }, { stripe_clearing: cents, ...entries });
  }

  const ofDispute = (account: LedgerAccount, id: string, kinds: ReadonlySet<JournalKind>) =>
    sum(account, ({ kind, reference }) => reference === id && kinds.has(kind));

  /** The bank has decided a dispute, or changed its decision. */
  function decideDispute(id: string, isLost: boolean): void {
    const kind = isLost ? "dispute_lost" : "dispute_reversed";
    const account = isLost ? "dispute_reserve" : "deal_held";
    const cents = ofDispute(account, id, reserveKinds);
    const times = journals.filter((one) => one.kind === kind && one.reference === id).length;
    const event = { id: `${id}:${times + 1}`, reference: id };
    const sign = isLost ? 1 : -1;
    if (cents > 0) add(kind, event, { deal_held: sign * cents, dispute_reserve: -sign * cents });
  }

  /** The bank has given back what it took: to the buyer's part what it had taken of that, as far as they lack it. */
  function reinstate({ id, number, cents }: { id: string; number: number; cents: number }): void {
    const most = Math.max(0, paidByCard() + cents - owed());
    const ofBuyer = Math.min(cents, most, ofDispute("buyer_payable", id, disputeKinds));
    const rest = cents - ofBuyer;
    const reserved = Math.min(rest, ofDispute("dispute_reserve", id, reserveKinds));
    const entries = { dispute_reserve: -reserved, deal_held: reserved - rest };
    const event = { id: `${id}:${number}`, reference: id };
    add("dispute_reinstated", event, {
      ...{ stripe_clearing: cents, buyer_payable: -ofBuyer, ...entries },
    });
  }

  return {
    balance,
    coverLoss,
    held,
    owed,
    due,
    contributed,
    transferred,
    charged,
    refunded,
    paidByCard,
    added: () => journals.slice(posted.length),

    charge({ id, amountCents }: Pick<Intent, "id" | "amountCents">): void {
      const entries = { stripe_clearing: amountCents, deal_held: -amountCents };
      add("charge", { id, reference: id }, entries);
    },

    /** The provider has accepted a refund. */
    refund({ id, amountCents }: Pick<Refund, "id" | "amountCents">): void {
      const payment = { cents: amountCents, from: "stripe_clearing", to: "deal_held" } as const;
      pay("refund", { id, reference: id }, payment);
    },

    failRefund,

    /** The shop adds to what the buyer pays: a discount, and credit of theirs. */
    contribute(id: string, { memberId, discountCents, creditCents }: Contribution): void {
      add(
        "discount",
        { id, reference: null },
        { marketing: discountCents, deal_held: -discountCents },
      );
      const entries = { credits: creditCents, deal_held: -creditCents };
      add("credit_spent", { id, reference: null, memberId }, entries);
    },

    /** Up to so many cents of what the shop has added go back: to the member's credit first. */
    returnContribution(id: string, most: number): void {
      const wanted = Math.min(most, contributed());
      undoRelease({ id: `contribution:${id}`, reference: null }, wanted - held());
      const cents = Math.max(0, Math.min(wanted, held()));
      const credit = Math.min(cents, balance("credits"));
      const memberId = journals.find(({ kind }) => kind === "credit_spent")?.memberId;
      const discount = cents - credit;
      const event = { id, reference: null };
      const ofMember = memberId === undefined ? event : { ...event, memberId };
      add("credit_returned", ofMember, { deal_held: credit, credits: -credit });
      add("discount_returned", event, { deal_held: discount, marketing: -discount });
    },

    /** The discount goes back to the shop, although the deal goes on. Returns the cents. */
    takeBackDiscount(id: string): number {
      const wanted = Math.max(0, balance("marketing"));
      undoRelease({ id: `discount:${id}`, reference: null }, wanted - held());
      const cents = Math.max(0, Math.min(wanted, held()));
      const event = { id: `${id}:refused`, reference: null };
      add("discount_returned", event, { deal_held: cents, marketing: -cents });
      return cents;
    },

    /** How many journals of a kind there are. */
    count: (kind: JournalKind) => journals.filter((one) => one.kind === kind).length,

    /** The buyer is to get back up to so many cents, of what their card has paid and the deal holds. Returns the cents. */
    decideRefund(id: string, wanted: number): number {
      const most = Math.min(wanted, paidByCard() - owed());
      undoRelease({ id: `refund:${id}`, reference: null }, most - held());
      const cents = Math.max(0, Math.min(most, held()));
      add("refund_decided", { id, reference: null }, { deal_held: cents, buyer_payable: -cents });
      return cents;
    },

    /** What the deal holds becomes the seller's, less the fee. Returns what is still to be sent to the seller, in cents. */
    release(id: string, feeOf: (cents: number) => number): number {
      const before = { payable: due(), fee: -balance("fee_revenue") };
      const free = Math.max(0, held());
      const fee = feeOf(free + before.payable + before.fee + transferred());
      const payable = free + before.payable + before.fee - fee;
      const entries = { seller_payable: before.payable - payable, fee_revenue: before.fee - fee };
      add("release", { id, reference: null }, { deal_held: free, ...entries });
      return payable;
    },

    /** Nothing of it is the seller's any more; nor is the shop's fee its own, if they never got anything. */
    recallAll(id: string): void {
      const fee = transferred() > 0 ? 0 : -balance("fee_revenue");
      undoRelease({ id, reference: null }, due() + Math.max(0, fee));
    },

    /** The provider has made a transfer to the seller. */
    transfer({ id, cents }: { id: string; cents: number }): void {
      const ofSeller = Math.min(cents, due());
      const ofDeal = Math.min(cents - ofSeller, Math.max(0, held()));
      const entries = { seller_payable: ofSeller, deal_held: ofDeal };
      const owing = { seller_receivable: cents - ofSeller - ofDeal };
      add("transfer", { id, reference: id }, { stripe_clearing: -cents, ...entries, ...owing });
    },

    /** The provider has taken money of a transfer back from the seller's account. */
    reverseTransfer({ id, cents }: { id: string; cents: number }): void {
      const owing = Math.min(cents, balance("seller_receivable"));
      const entries = { seller_receivable: -owing, deal_held: owing - cents };
      add("transfer_reversal", { id, reference: id }, { stripe_clearing: cents, ...entries });
    },

    /** Another deal of the seller pays what they owe for this one; `id` tells one time from another. */
    receiveSetOff(id: string, cents: number): void {
      const event = { id: `${id}:from`, reference: null };
      add("set_off", event, { stripe_clearing: cents, seller_receivable: -cents });
    },

    /** The seller's money of this deal pays what they owe for another one. */
    paySetOff(id: string, cents: number): void {
      const event = { id: `${id}:to`, reference: null };
      add("set_off", event, { stripe_clearing: -cents, seller_payable: cents });
    },

    /** `id` differs for each time that an admin sent money in another way. */
    sendRefund(id: string, cents: number): void {
      pay("refund_sent", { id, reference: null }, { cents, from: "shop_bank", to: "deal_held" });
    },

    /** What the bank has taken in a dispute, and given back: first of what the buyer is owed. */
    dispute({ id, movements }: Pick<Dispute, "id" | "movements">, state: DisputeState): void {
      for (const [index, cents] of movements.filter((one) => one < 0).entries()) {
        const event = { id: `${id}:${index + 1}`, reference: id };
        const payment = { cents: -cents, from: "stripe_clearing", to: "dispute_reserve" } as const;
        pay("dispute_withdrawn", event, payment);
      }
      if (state !== "lost") decideDispute(id, false);
      for (const [index, cents] of movements.filter((one) => one > 0).entries())
        if (!has(`dispute_reinstated:${id}:${index + 1}`))
          reinstate({ id, number: index + 1, cents });
      if (state === "lost") decideDispute(id, true);
    },
  };
}

const sellerKinds = new Set<JournalKind>(["transfer", "transfer_reversal", "set_off"]);
const refundKinds = new Set<JournalKind>(["refund", "refund_failed", "refund_sent"]);
const disputeKinds = new Set<JournalKind>(["dispute_withdrawn", "dispute_reinstated"]);
const reserveKinds = new Set<JournalKind>([...disputeKinds, "dispute_lost", "dispute_reversed"]);
const isOfCard = ({ kind }: Journal) =>
  kind === "charge" || refundKinds.has(kind) || disputeKinds.has(kind);

type EventId = { id: string; reference: string | null; memberId?: string };
/** `memberId`: the buyer. */
type Contribution = { memberId: string; discountCents: number; creditCents: number };
type Payment = { cents: number; from: LedgerAccount; to: LedgerAccount };
