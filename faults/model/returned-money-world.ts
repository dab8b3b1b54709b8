import { expect } from "vitest";
import { CallError } from "#contract/client.ts";
import { refreshPayoutAccount } from "#contract/payouts.ts";
import { transferGroupOf } from "#server/adapters/cards/port.ts";
import { readDeal } from "#server/features/ledger/post-journal.ts";
import { recordReversals } from "#server/features/money/reverse-transfers.ts";
import type { CardProvider } from "#server/testing/cards.ts";
import type { Sale } from "#server/testing/deal.ts";
import { deal } from "#server/testing/deal.ts";
import type { Person } from "#server/testing/people.ts";
import { accountOf, day, wait } from "#server/testing/settlements.ts";
import type { Shop } from "#server/testing/shop.ts";
import { OwedModel } from "./owed-model.ts";

/** A step's random choices: an amount, and a number that selects a refund or a variant. */
type Choice = { cents: number; which: number };

const providerCalls = ["/v1/refunds", "/v1/transfers", "/v1/transfers/:id/reversals"] as const;

/** Checks the buyer's due against the model, and the ledger against the money moved. */
export class ReturnedMoneyWorld {
  private readonly model = new OwedModel();
  private readonly cards: CardProvider;
  private readonly shop: Shop;
  private readonly admin: Person;
  private readonly sale: Sale;

  private constructor(sale: Sale, admin: Person) {
    this.cards = sale.cards;
    this.shop = sale.shop;
    this.admin = admin;
    this.sale = sale;
  }

  static async open(shop: Shop, admin: Person): Promise<ReturnedMoneyWorld> {
    await shop.cards.injectFaults({ webhook: { hold: true } });
    return new ReturnedMoneyWorld(await deal(shop, "handedOver", { bank: true }), admin);
  }

  /** Refunds up to `cents`, as an admin does in the provider's dashboard. */
  async refund({ cents }: Choice): Promise<void> {
    const { amountCents, refundedCents } = await this.intent();
    const maxCents = amountCents - refundedCents;
    await unlessRefused(this.cards.refund(this.sale.intent, Math.min(cents, maxCents)));
  }

  async failRefund({ which }: Choice): Promise<void> {
    const alive = (await this.intent()).refunds.filter(({ state }) => state !== "failed");
    const refund = alive[which % alive.length];
    if (refund) await this.cards.failRefund(refund.id);
  }

  /** Disputes at most the unrefunded part of the payment, and only once. */
  async dispute({ cents }: Choice): Promise<void> {
    const { amountCents, refundedCents, disputes } = await this.intent();
    const taken = disputes.filter(({ state }) => state !== "won");
    const maxCents = amountCents - refundedCents - sum(taken.map((one) => one.amountCents));
    if (maxCents <= 0 || disputes.length > 0) return;
    await this.cards.openDispute(this.sale.intent, Math.min(cents, maxCents));
  }

  async decide({ which }: Choice): Promise<void> {
    const { intent } = this.sale;
    const [dispute] = (await this.intent()).disputes;
    if (!dispute) return;
    if (dispute.state !== "open") return await this.cards.flipDispute(intent);
    const evidence = which % 2 === 0 ? "winning_evidence" : "losing_evidence";
    await this.cards.answerDispute(intent, evidence);
  }

  /** Takes money back from the seller, as an admin does in the provider's dashboard. */
  async takeBack({ cents }: Choice): Promise<void> {
    await unlessRefused(this.cards.reverseTransfer(this.sale.booking, cents));
  }

  async hear(): Promise<void> {
    const known = await this.knownRefunds();
    const intent = await this.intent();
    await this.sale.refresh();
    await recordReversals(this.shop.deps, this.sale.booking);
    this.model.hear(intent, known);
    await this.compare();
  }

  async complain(): Promise<void> {
    await unlessRefused(this.sale.complain());
  }

  async decideComplaint({ cents }: Choice): Promise<void> {
    await this.hear();
    const part = Math.min(cents, 30_000);
    const maxCents = Math.max(0, await this.cash());
    if (await unlessRefused(this.sale.decide(this.admin, part / 100)))
      this.model.mean(Math.min(part, maxCents));
  }

  async sendOn({ which }: Choice): Promise<void> {
    await this.hear();
    const { leftover, leftoverToBuyer } = await this.sale.record(this.admin);
    if (leftover === 0) return;
    const to = which % 2 === 0 ? "buyer" : "seller";
    const reason = "The seller can't receive it.";
    if (!(await unlessRefused(this.sale.sendLeftover(this.admin, to, leftover, reason)))) return;
    if (to === "buyer") this.model.mean(Math.round(leftoverToBuyer * 100));
  }

  /** Records that an admin sent the buyer, by other means, the money that their card refused. */
  async sendAnotherWay(): Promise<void> {
    await this.hear();
    if (await unlessRefused(this.sale.sendAnotherWay(this.admin))) this.model.send();
  }

  async setAccount({ which }: Choice): Promise<void> {
    const status = which % 2 === 0 ? "restricted" : "active";
    const { seller } = this.sale;
    const account = await accountOf(this.shop, seller);
    await this.cards.setCapabilities(account, { stripe_transfers: status });
    await seller.call(refreshPayoutAccount, {});
  }

  async tryAgain(): Promise<void> {
    await unlessRefused(this.sale.refund(this.admin));
  }

  /** Makes the next call of one kind fail, before or after the provider does the work. */
  async breakNext({ which }: Choice): Promise<void> {
    const path = providerCalls[which % providerCalls.length];
    const status = which % 2 === 0 ? 400 : ("hangup" as const);
    const failNext = { method: "POST", path, status, ...(which % 4 === 1 && { afterWork: true }) };
    await this.cards.injectFaults({ webhook: { hold: true }, failNext });
  }

  async passHour(): Promise<void> {
    await this.pass(60);
  }

  async passDays(): Promise<void> {
    await this.pass(4 * day);
  }

  /** Runs the jobs, which may refund only what is owed. Payouts must leave enough for the buyer. */
  private async pass(minutes: number): Promise<void> {
    await this.hear();
    const before = (await this.intent()).refundedCents;
    const [owed, sent] = [this.model.owed(), await this.sellerCents()];
    await wait(this.shop, minutes);
    const refunded = (await this.intent()).refundedCents - before;
    expect(refunded, "refunded by the shop").toBeLessThanOrEqual(owed);
    if ((await this.sellerCents()) <= sent) return;
    const left = await this.cash();
    expect(left, "left for the buyer").toBeGreaterThanOrEqual(this.model.owed(refunded));
  }

  /** Settles the deal: the buyer gets what they are owed, and the seller the remaining money. */
  async finish(choice: Choice): Promise<void> {
    await this.cards.injectFaults({ webhook: { hold: true } });
    if ((await this.intent()).disputes.some(({ state }) => state === "open"))
      await this.decide(choice);
    await this.setAccount({ ...choice, which: 1 });
    await this.complain();
    await this.decideComplaint({ ...choice, cents: 0 });
    for (let round = 0; round < 4 && !(await this.isOver()); round += 1) {
      // Leftover money can be sent only after it becomes available in the shop's balance.
      await this.cards.advanceClock(3);
      for (const minutes of [60, 2 * day, 4 * day]) await this.pass(minutes);
      await this.sendAnotherWay();
      await this.sendOn(choice);
      await this.compare();
    }
    expect(this.model.owed(), "owed in the end").toBe(0);
    // All histories share the shop's balance, so other histories may have used it up.
    if (!(await this.isShort())) expect(await this.held(), "held in the end").toBe(0);
  }

  private async isShort(): Promise<boolean> {
    const attempts = await this.sale.transfers();
    return attempts.at(-1)?.refusal === "balance_insufficient";
  }

  private async isOver(): Promise<boolean> {
    return this.model.owed() === 0 && (await this.held()) === 0;
  }

  private async held(): Promise<number> {
    return (await this.sale.money()).held ?? 0;
  }

  private async compare(): Promise<void> {
    const ledger = await readDeal(this.shop.deps.db, { bookingId: this.sale.booking });
    expect(ledger.owed(), "owed").toBe(this.model.owed());
    const { held = 0, lost = 0, owed = 0 } = await this.sale.money();
    expect(held - lost - owed, "left of the payment").toBe(await this.cash());
  }

  /** Returns the cents of the payment that the shop still has. Negative if it has paid out more. */
  private async cash(): Promise<number> {
    const { amountCents, refundedCents, disputes } = await this.intent();
    const taken = -sum(disputes.flatMap(({ movements }) => movements));
    return amountCents - refundedCents - this.model.sent - taken - (await this.sellerCents());
  }

  private async sellerCents(): Promise<number> {
    const made = await this.shop.deps.cards.findTransfers(transferGroupOf(this.sale.booking));
    return sum(made.map(({ amountCents, reversedCents }) => amountCents - reversedCents));
  }

  private async intent() {
    return await this.shop.deps.cards.findIntent(this.sale.intent);
  }

  private async knownRefunds(): Promise<Set<string>> {
    const rows = await this.shop.deps.db
      .selectFrom("ledger_journals")
      .select("reference")
      .where("booking_id", "=", this.sale.booking)
      .where("kind", "=", "refund")
      .execute();
    return new Set(rows.map(({ reference }) => reference ?? ""));
  }
}

function sum(cents: number[]): number {
  return cents.reduce((all, one) => all + one, 0);
}

const refusals = new Set<string>(["STALE", "NOT_FOUND"]);

/** Returns false if the shop answers STALE or NOT_FOUND, or if Stripe's library throws. */
async function unlessRefused(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof CallError && refusals.has(error.code)) return false;
    if (error instanceof Error && error.constructor.name.startsWith("Stripe")) return false;
    throw error;
  }
}
