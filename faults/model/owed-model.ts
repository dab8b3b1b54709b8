import type { Dispute, Intent } from "#server/adapters/cards/port.ts";

/**
 * Models the debt to a deal's buyer, at most the payment (decisions/money). Refunds and disputes
 * reduce the debt. It grows again if a refund returns, unless another refund has replaced that one,
 * or if the bank gives back the buyer's part of a dispute.
 */
export class OwedModel {
  /** The cents that an admin has sent by other means. */
  sent = 0;
  private owedCents = 0;
  private charged = 0;
  private toCard = 0;
  private taken = 0;
  /** By dispute id. `heard`: movements read so far. `ofBuyer`: owed cents that the bank took. */
  private readonly disputes = new Map<string, { heard: number; ofBuyer: number }>();
  /** Ids of the refunds read so far. */
  private readonly heard = new Set<string>();
  private readonly failed = new Set<string>();

  /** Returns cents. `newCents`: refunded to the card since the shop read the payment. */
  owed(newCents = 0): number {
    return Math.max(0, this.owedCents - newCents);
  }

  /** `known`: ids of the shop's own refunds, and of dashboard refunds that it has read before. */
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

  mean(cents: number): void {
    this.owe(cents);
  }

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
