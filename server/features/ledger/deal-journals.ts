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
  /** Of a booking that was paid twice: it is about the payment that was late or too little, and goes back as a whole. */
  ofOther?: boolean;
  entries: Entries;
};

export type DealJournals = ReturnType<typeof dealJournals>;

/**
 * The journals of a deal, to which events are added, of one payment; an event that was posted before adds nothing.
 */
export function dealJournals(posted: readonly Journal[], payment: OfPayment = {}) {
  const journals = [...posted];
  const balance = (account: LedgerAccount, reference?: string): number =>
    journals
      .filter((one) => reference === undefined || one.reference === reference)
      .reduce((sum, { entries }) => sum + (entries[account] ?? 0), 0);
  const has = (key: string) => journals.some((one) => one.key === key);
  const cardSum = (isCounted: (journal: Journal) => boolean) =>
    journals.filter(isCounted).reduce((sum, { entries }) => sum + ofCard(entries), 0);
  /** What is left for the deal, of the buyer and as discount or credit, without what is already the seller's. */
  const heldInAll = () => -balance("deal_held") - balance("dispute_reserve");
  /** Without what another payment of the booking holds. */
  const held = () =>
    heldInAll() -
    Math.max(
      0,
      cardSum((one) => one.ofOther === true && isOfCard(one)),
    );
  /** What the shop has added to the buyer's money. */
  const contributed = () => balance("marketing") + balance("credits");
  /** What the seller has of it, or has paid back of it with another deal. */
  const transferred = () =>
    -journals
      .filter(({ kind }) => ["transfer", "transfer_reversal", "set_off"].includes(kind))
      .reduce((sum, { entries }) => sum + (entries.stripe_clearing ?? 0), 0);

  const sumOfDeal = (isCounted: (journal: Journal) => boolean) =>
    cardSum((one) => one.ofOther !== true && isCounted(one));

  function add(kind: JournalKind, { id, reference, memberId }: EventId, entries: Entries): void {
    const key = `${kind}:${id}`;
    const nonZero = Object.entries(entries).filter(([, cents]) => cents !== 0);
    if (has(key) || nonZero.length === 0) return;
    const owner = memberId !== undefined && { memberId };
    const about = { kind, key, reference, ...owner, ...payment };
    journals.push({ ...about, entries: Object.fromEntries(nonZero) });
  }

  /**
   * Takes from the deal what it holds, also of what is meant for the seller. What is lacking is owed by the seller as
   * far as they were paid, and is the shop's loss beyond that.
   */
  function pay(kind: JournalKind, event: EventId, { cents, from, to }: Payment): void {
    if (has(`${kind}:${event.id}`)) return;
    const most = payment.ofOther ? heldInAll() : held();
    undoRelease({ id: `${kind}:${event.id}`, reference: null }, cents - most);
    const ofDeal = Math.min(cents, payment.ofOther ? heldInAll() : held());
    const owed = Math.min(cents - ofDeal, transferred() - balance("seller_receivable"));
    const lost = cents - ofDeal - owed;
    add(kind, event, {
      ...{ [from]: -cents, [to]: ofDeal, seller_receivable: owed, platform_loss: lost },
    });
  }

  /** Takes back up to so many cents of what was meant for the seller and not sent yet, then of the fee. */
  function undoRelease(event: EventId, wanted: number): void {
    const ofSeller = Math.max(0, Math.min(wanted, -balance("seller_payable")));
    const ofFee = Math.max(0, Math.min(wanted - ofSeller, -balance("fee_revenue")));
    const entries = { deal_held: -ofSeller - ofFee, seller_payable: ofSeller, fee_revenue: ofFee };
    add("release_undone", event, entries);
  }

  /** Gives back what the seller owed, then what the shop had paid for the deal, once the deal has money again. */
  function coverLoss(bookingId: string): void {
    const owed = Math.max(0, Math.min(held(), balance("seller_receivable")));
    const lost = Math.max(0, Math.min(held() - owed, balance("platform_loss")));
    const times = journals.filter(({ kind }) => kind === "loss_covered").length;
    const event = { id: `${bookingId}:${times + 1}`, reference: null };
    const entries = { deal_held: owed + lost, seller_receivable: -owed, platform_loss: -lost };
    add("loss_covered", event, entries);
  }

  /** The bank has decided a dispute, or changed its decision. */
  function decide(id: string, state: DisputeState): void {
    const kind = state === "lost" ? "dispute_lost" : "dispute_reversed";
    const cents = balance(state === "lost" ? "dispute_reserve" : "deal_held", id);
    const times = journals.filter((one) => one.kind === kind && one.reference === id).length;
    const event = { id: `${id}:${times + 1}`, reference: id };
    const entries =
      kind === "dispute_lost"
        ? { deal_held: cents, dispute_reserve: -cents }
        : { dispute_reserve: cents, deal_held: -cents };
    if (cents > 0) add(kind, event, entries);
  }

  return {
    balance,
    coverLoss,
    added: () => journals.slice(posted.length),

    charge({ id, amountCents }: Pick<Intent, "id" | "amountCents">): void {
      const entries = { stripe_clearing: amountCents, deal_held: -amountCents };
      add("charge", { id, reference: id }, entries);
    },

    refund({ id, amountCents, state }: Pick<Refund, "id" | "amountCents" | "state">): void {
      const event = { id, reference: id };
      const payment = { cents: amountCents, from: "stripe_clearing", to: "deal_held" } as const;
      if (!has(`refund:${id}`)) pay("refund", event, payment);
      if (state !== "failed") return;
      // Not by the refund's id: a fee of the provider for it has the same, and is kept.
      const taken = journals.find(({ key }) => key === `refund:${id}`);
      const cents = -(taken?.entries.stripe_clearing ?? 0);
      add("refund_failed", event, { stripe_clearing: cents, deal_held: -cents });
    },

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

    /**
     * What the deal holds becomes the seller's, less the fee and what is kept for the buyer, in cents. Returns what is
     * still to be sent to the seller.
     */
    release(id: string, { feeOf, keptCents = 0 }: ReleaseTerms): number {
      undoRelease({ id, reference: null }, keptCents - held());
      const before = { payable: -balance("seller_payable"), fee: -balance("fee_revenue") };
      const free = Math.max(0, held() - keptCents);
      const total = free + before.payable + before.fee + transferred();
      const fee = feeOf(total);
      const due = total - fee - transferred();
      const entries = {
        ...{ deal_held: free, seller_payable: before.payable - due, fee_revenue: before.fee - fee },
      };
      add("release", { id, reference: null }, entries);
      return due;
    },

    /** Up to so many cents that were meant for the seller, and not sent yet, are not theirs any more. */
    recall(id: string, cents: number): void {
      undoRelease({ id, reference: null }, Math.min(cents, -balance("seller_payable")));
    },

    /** Nothing of it is the seller's any more; nor is the shop's fee its own, if they never got anything. */
    recallAll(id: string): void {
      const fee = transferred() > 0 ? 0 : -balance("fee_revenue");
      undoRelease(
        { id, reference: null },
        Math.max(0, -balance("seller_payable")) + Math.max(0, fee),
      );
    },

    /** The provider has made a transfer to the seller. */
    transfer({ id, cents }: { id: string; cents: number }): void {
      const ofSeller = Math.min(cents, -balance("seller_payable"));
      const ofDeal = Math.min(cents - ofSeller, Math.max(0, held()));
      add(
        "transfer",
        { id, reference: id },
        {
          ...{ stripe_clearing: -cents, seller_payable: ofSeller, deal_held: ofDeal },
          seller_receivable: cents - ofSeller - ofDeal,
        },
      );
    },

    /** The provider has taken money of a transfer back from the seller's account. */
    reverseTransfer({ id, cents }: { id: string; cents: number }): void {
      const owed = Math.min(cents, balance("seller_receivable"));
      add(
        "transfer_reversal",
        { id, reference: id },
        {
          ...{ stripe_clearing: cents, seller_receivable: -owed, deal_held: owed - cents },
        },
      );
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

    held,
    contributed,
    transferred,
    /** What the buyer's card has paid, and neither they nor their bank have back. */
    paidByCard: () => sumOfDeal(isOfCard),

    /** What the buyer's card has paid, whoever has it now. */
    charged: () => sumOfDeal(({ kind }) => kind === "charge"),
    /** What the buyer has back of it by refunds: to their card and in another way. */
    refunded: () => -sumOfDeal(({ kind }) => refundKinds.has(kind)),
    /** What the buyer's bank has taken for a dispute and not given back. */
    disputed: (id: string) =>
      -sumOfDeal(({ kind, reference }) => disputeKinds.has(kind) && reference === id),

    /** `id` differs for each time that an admin sent money in another way. */
    sendRefund(id: string, cents: number): void {
      pay("refund_sent", { id, reference: null }, { cents, from: "shop_bank", to: "deal_held" });
    },

    dispute({ id, movements }: Pick<Dispute, "id" | "movements">, state: DisputeState): void {
      const event = (number: number) => ({ id: `${id}:${number}`, reference: id });
      const withdrawn = movements.filter((cents) => cents < 0);
      const reinstated = movements.filter((cents) => cents > 0);
      for (const [index, cents] of withdrawn.entries()) {
        const payment = { cents: -cents, from: "stripe_clearing", to: "dispute_reserve" } as const;
        if (!has(`dispute_withdrawn:${id}:${index + 1}`))
          pay("dispute_withdrawn", event(index + 1), payment);
      }
      if (state !== "lost") decide(id, state);
      for (const [index, cents] of reinstated.entries()) {
        const reserved = Math.min(cents, balance("dispute_reserve", id));
        const entries = { dispute_reserve: -reserved, deal_held: reserved - cents };
        add("dispute_reinstated", event(index + 1), { stripe_clearing: cents, ...entries });
      }
      if (state === "lost") decide(id, state);
    },
  };
}

const refundKinds = new Set<JournalKind>(["refund", "refund_failed", "refund_sent"]);
const disputeKinds = new Set<JournalKind>(["dispute_withdrawn", "dispute_reinstated"]);
const isOfCard = ({ kind }: Journal) =>
  kind === "charge" || refundKinds.has(kind) || disputeKinds.has(kind);

/** What the added journals are about. */
export type OfPayment = Pick<Journal, "intentId" | "ofOther">;

type ReleaseTerms = { feeOf: (cents: number) => number; keptCents?: number };
const ofCard = ({ stripe_clearing = 0, shop_bank = 0 }: Entries) => stripe_clearing + shop_bank;

type EventId = { id: string; reference: string | null; memberId?: string };
/** `memberId`: the buyer. */
type Contribution = { memberId: string; discountCents: number; creditCents: number };
type Payment = { cents: number; from: LedgerAccount; to: LedgerAccount };
