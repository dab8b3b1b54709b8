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
  entries: Entries;
};

export type DealJournals = ReturnType<typeof dealJournals>;

/** The journals of a deal, to which events are added; an event that was posted before adds nothing. */
export function dealJournals(posted: readonly Journal[]) {
  const journals = [...posted];
  const balance = (account: LedgerAccount, reference?: string): number =>
    journals
      .filter((one) => reference === undefined || one.reference === reference)
      .reduce((sum, { entries }) => sum + (entries[account] ?? 0), 0);
  const has = (key: string) => journals.some((one) => one.key === key);
  /** What is left of the buyer's money. */
  const held = () => -balance("deal_held") - balance("dispute_reserve");

  function add(kind: JournalKind, { id, reference }: EventId, entries: Entries): void {
    const key = `${kind}:${id}`;
    const nonZero = Object.entries(entries).filter(([, cents]) => cents !== 0);
    if (!has(key) && nonZero.length > 0)
      journals.push({ kind, key, reference, entries: Object.fromEntries(nonZero) });
  }

  /** Takes from the deal what it holds, and from the shop what is lacking. */
  function pay(kind: JournalKind, event: EventId, { cents, from, to }: Payment): void {
    const ofDeal = Math.min(cents, held());
    add(kind, event, { [from]: -cents, [to]: ofDeal, platform_loss: cents - ofDeal });
  }

  /** Gives the shop back what it had paid for the deal, once the deal has money again. */
  function coverLoss(bookingId: string): void {
    const cents = Math.min(held(), balance("platform_loss"));
    const times = journals.filter(({ kind }) => kind === "loss_covered").length;
    const event = { id: `${bookingId}:${times + 1}`, reference: null };
    if (cents > 0) add("loss_covered", event, { deal_held: cents, platform_loss: -cents });
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

    refund({ id, amountCents, failed }: Pick<Refund, "id" | "amountCents" | "failed">): void {
      const event = { id, reference: id };
      const payment = { cents: amountCents, from: "stripe_clearing", to: "deal_held" } as const;
      if (!has(`refund:${id}`)) pay("refund", event, payment);
      if (!failed) return;
      // Not by the refund's id: a fee of the provider for it has the same, and is kept.
      const taken = journals.find(({ key }) => key === `refund:${id}`);
      const cents = -(taken?.entries.stripe_clearing ?? 0);
      add("refund_failed", event, { stripe_clearing: cents, deal_held: -cents });
    },

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

type EventId = { id: string; reference: string | null };
type Payment = { cents: number; from: LedgerAccount; to: LedgerAccount };
