import type { Intent } from "#server/adapters/cards/port.ts";

type Disputed = { id: string; state: string; cents: number; covers: number };

/**
 * What the buyer of one deal is owed, by decision 0104: what was meant for them less their refunds. A dispute that the
 * shop has lost pays what was owed when it was opened, and the rest of it is on top; nobody is owed more than they paid.
 */
export class OwedModel {
  /** What an admin has sent in another way, in cents. */
  sent = 0;
  private meant = 0;
  private charged = 0;
  private toCard = 0;
  private readonly disputes = new Map<string, Disputed>();
  private readonly failed = new Set<string>();

  /** `newCents`: what was refunded to the card since the shop read the payment. */
  owed(newCents = 0): number {
    const most = Math.min(
      this.meant - total(this.lost.map(({ cents, covers }) => Math.min(cents, covers))),
      this.charged - total(this.lost.map(({ cents }) => cents)),
    );
    return Math.max(0, most - this.refunded - newCents);
  }

  /** The shop reads the payment; it knew these refunds before. */
  hear({ amountCents, refunds, disputes }: Intent, known: ReadonlySet<string>): void {
    this.charged = amountCents;
    const failed = refunds.filter(({ state }) => state === "failed");
    const justFailed = failed.filter(({ id }) => known.has(id) && !this.failed.has(id));
    const alive = total(
      refunds.filter(({ state }) => state !== "failed").map((one) => one.amountCents),
    );
    // Whether a refund failed before or after a dispute was opened nobody knows: it counts as the buyer's until then.
    this.toCard = alive + total(justFailed.map((one) => one.amountCents));
    for (const { id, state, movements, amountCents: most } of disputes) {
      const seen = this.disputes.get(id);
      const covers = seen ? seen.covers : Math.min(most, this.owed());
      this.disputes.set(id, { id, state, cents: -total(movements), covers });
    }
    this.toCard = alive;
    this.meant = Math.max(this.meant, this.refunded);
    for (const { id } of failed) this.failed.add(id);
  }

  /** A decision gives the buyer another part. */
  mean(cents: number): void {
    let missing = Math.max(0, this.meant - this.refunded);
    for (const one of this.lost) {
      one.covers = Math.min(one.covers, one.cents, missing);
      missing -= one.covers;
    }
    this.meant = Math.max(this.meant, this.refunded) + cents;
  }

  /** An admin has sent all that is owed in another way. */
  send(): void {
    this.sent += this.owed();
  }

  private get refunded(): number {
    return this.toCard + this.sent;
  }

  private get lost(): Disputed[] {
    return [...this.disputes.values()].filter(({ state }) => state === "lost");
  }
}

function total(cents: number[]): number {
  return cents.reduce((sum, one) => sum + one, 0);
}
