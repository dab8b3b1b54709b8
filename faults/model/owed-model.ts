import type { Dispute, Intent } from "#server/adapters/cards/port.ts";

/**
 * The money that a deal's buyer is owed, according to decisions/money. Refunds and new disputes
 * reduce the amount. A refund that the bank returns is owed again, unless another refund replaced
 * it. Money that the bank gives back after a dispute is also owed again. The amount never exceeds
 * the payment.
 */
export class OwedModel {
  /** The cents that an admin has sent by other means. */
  sent = 0;
  private owedCents = 0;
  private charged = 0;
  private toCard = 0;
  private taken = 0;
  /**
   * By dispute id. `heard`: the number of movements read so far. `ofBuyer`: the cents owed to the
   * buyer that the bank took.
   */
  private readonly disputes = new Map<string, { heard: number; ofBuyer: number }>();
  /** The ids of the refunds that have been counted. */
  private readonly heard = new Set<string>();
  private readonly failed = new Set<string>();

  /** The cents still owed. `newCents`: refunded to the card since the shop read the payment. */
  owed(newCents = 0): number {
    return Math.max(0, this.owedCents - newCents);
  }

  /**
   * The shop reads the payment. `known`: ids of the refunds that the shop has already recorded.
   * These are the shop's own refunds, and dashboard refunds that the shop has read before.
   */
  hear({ amountCents, refunds, disputes }: Intent, known: ReadonlySet<string>): void {
    this.charged = amountCents;
    const unheard = refunds.filter(({ id }) => !this.heard.has(id));
    for (const { id, amountCents: cents } of unheard) {
      this.heard.add(id);
      if (known.has(id)) this.refund(cents);
    }
    const had = this.toCard + this.sent;
    for (const { id, amountCents: cents, state } of unheard) {
      if (known.has(id)) continue;
      if (state === "failed") this.failed.add(id);
      else this.refund(cents);
    }
    for (const dispute of disputes) this.move(dispute);
    for (const { id, amountCents: cents, state } of refunds.toReversed()) {
      if (state !== "failed" || this.failed.has(id)) continue;
      this.failed.add(id);
      this.toCard -= cents;
      this.owe(Math.min(cents, Math.max(0, had - this.toCard - this.sent)));
    }
  }

  /** A decision grants the buyer another part of the price. */
  mean(cents: number): void {
    this.owe(cents);
  }

  /** An admin has sent all owed money by other means. */
  send(): void {
    this.sent += this.owedCents;
    this.owedCents = 0;
  }

  private refund(cents: number): void {
    this.toCard += cents;
    this.owedCents -= Math.min(cents, this.owedCents);
  }

  private move({ id, movements }: Dispute): void {
    const { heard, ofBuyer } = this.disputes.get(id) ?? { heard: 0, ofBuyer: 0 };
    let left = ofBuyer;
    for (const cents of movements.slice(heard)) {
      this.taken -= cents;
      const before = this.owedCents;
      if (cents < 0) this.owedCents -= Math.min(-cents, before);
      else this.owe(Math.min(cents, left));
      left += before - this.owedCents;
    }
    this.disputes.set(id, { heard: movements.length, ofBuyer: left });
  }

  private owe(cents: number): void {
    const paid = this.charged - this.toCard - this.sent - this.taken;
    this.owedCents += Math.max(0, Math.min(cents, paid - this.owedCents));
  }
}
