import { expect } from "vitest";
import { findBookingToPay } from "#contract/bookings.ts";
import { answerComplaint, complain, decideComplaint } from "#contract/complaints.ts";
import {
  acceptInvitation,
  readInvitationOffer,
  readOwnInvitations,
} from "#contract/invitations.ts";
import { createPaymentIntent, recordPayment } from "#contract/payments.ts";
import { expireHold } from "#server/features/deals/end-hold.ts";
import { refundPayment } from "#server/features/money/send-refund.ts";
import { settleDeals } from "#server/features/money/settle-deals.ts";
import { meetDeadline } from "#server/features/money/settlement-deadlines.ts";
import { expireCredits } from "#server/features/rewards/credits.ts";
import { rewardInvitations } from "#server/features/rewards/reward-invitations.ts";
import { deal } from "#server/testing/deal.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { bookLaptop, cancelHold, intentIn, refund } from "#server/testing/marketplace.ts";
import { errorOf, member, type Person } from "#server/testing/people.ts";
import { forgetCards, inviteByLink } from "#server/testing/rewards.ts";
import { connectBank, day, handOver, settlementOf } from "#server/testing/settlements.ts";
import type { Shop } from "#server/testing/shop.ts";
import { endTime } from "../interleavings/settlement-verbs.ts";
import * as model from "./credit-model.ts";

type Choice = { who: number; from: number; much: number };
type Someone = { person: Person; model: model.Member };
type Purchase = {
  buyer: Person;
  seller: Person;
  booking: string;
  intent: string;
  model: model.Deal;
};
type Place = { shop: Shop; admin: Person };

/** In cents: below, at and above the discount's minimum price, and where the discount is capped. */
const prices = [2_000, 20_000, 30_000, 45_000, 64_000, 150_000];

export class CreditWorld {
  private readonly open: Purchase[] = [];
  private readonly paid: Purchase[] = [];
  private readonly place: Place;
  private readonly buyers: Someone[];
  private readonly sellers: Someone[];

  private constructor(place: Place, buyers: Someone[], sellers: Someone[]) {
    this.place = place;
    this.buyers = buyers;
    this.sellers = sellers;
  }

  static async open(place: Place): Promise<CreditWorld> {
    const enter = async (name: string, accountType: "buyer" | "seller") => ({
      person: await member(place.shop, { accountType }),
      model: model.newMember(name),
    });
    const sellers = [await enter("seller", "seller"), await enter("other seller", "seller")];
    for (const { person } of sellers) await connectBank(place.shop.cards, person);
    await fundDiscounts(place.shop);
    return new CreditWorld(place, [await enter("first", "buyer")], sellers);
  }

  private get everyone(): Someone[] {
    return [...this.buyers, ...this.sellers];
  }

  expected(): Record<string, number> {
    return Object.fromEntries(
      this.everyone.map((one) => [one.model.name, model.balanceOf(one.model)]),
    );
  }

  async observed(): Promise<Record<string, number>> {
    const rows = await this.place.shop.deps.db
      .selectFrom("credit_accounts")
      .selectAll()
      .where(
        "member_id",
        "in",
        this.everyone.map(({ person }) => person.id),
      )
      .execute();
    const cents = new Map(rows.map(({ member_id, balance_cents }) => [member_id, balance_cents]));
    return Object.fromEntries(
      this.everyone.map((one) => [one.model.name, cents.get(one.person.id) ?? 0]),
    );
  }

  async join({ who }: Choice): Promise<void> {
    if (this.buyers.length > 5) return;
    const inviter = pick(this.everyone, who);
    const person = await inviteByLink(this.place.shop, inviter.person);
    const name = `friend ${this.buyers.length}`;
    this.buyers.push({ person, model: model.newMember(name, inviter.model) });
  }

  /** Accepts one's own or a second invitation: the former is refused, the latter has no effect. */
  async cheat({ who, from }: Choice): Promise<void> {
    const [someone, inviter] = [pick(this.everyone, who), pick(this.everyone, from)];
    const { code } = await inviter.person.call(readOwnInvitations, {});
    if (someone === inviter || someone.model.invitation) {
      const accepting = someone.person.call(acceptInvitation, { body: { code } });
      if (someone === inviter) expect((await errorOf(accepting)).code).toBe("NOT_FOUND");
      else await accepting;
    }
  }

  async buy(choice: Choice): Promise<void> {
    await this.openPayments(await this.book(choice));
  }

  /** Opens payments for two laptops at the same time. In the model, one payment opens first. */
  async buyTwo(choice: Choice): Promise<void> {
    const first = await this.book(choice);
    await this.openPayments(first, await this.book({ ...choice, from: choice.from + 1 }));
  }

  private async book({ who, from, much }: Choice) {
    const [buyer, seller] = [pick(this.buyers, who), pick(this.sellers, from)];
    const price = pick(prices, much);
    const cents = { resale_cents: price, original_cents: 2 * price };
    const product = await insertLaptop(this.place.shop, seller.person, cents);
    const busy = this.open.filter((deal) => deal.buyer === buyer.person);
    for (const deal of busy.slice(3)) await this.end(deal);
    const booking = await bookLaptop(buyer.person, product, { price: price / 100 });
    return { buyer, seller, price, booking };
  }

  private async openPayments(...booked: Awaited<ReturnType<CreditWorld["book"]>>[]) {
    const opened = await Promise.all(
      booked.map(async ({ buyer, booking, price }) => {
        const body = { price: price / 100, bookingId: booking };
        return intentIn((await buyer.person.call(createPaymentIntent, { body })).clientSecret);
      }),
    );
    const found = await Promise.all(
      booked.map(({ buyer, booking }) =>
        buyer.person.call(findBookingToPay, { params: { id: booking } }),
      ),
    );
    const shown = booked.map((one, index) => ({ ...one, index, order: found[index] }));
    // The payment that opened first got the discount, or more of the credit.
    const reducedBy = (index: number) =>
      (found[index]?.price ?? 0) - (found[index]?.amountDue ?? 0);
    shown.sort((one, other) => reducedBy(other.index) - reducedBy(one.index));
    for (const { buyer, seller, price, booking, index, order } of shown) {
      const deal = model.buy({ buyer: buyer.model, seller: seller.model, price });
      const cents = { discount: deal.discount / 100, credit: deal.credit / 100 };
      expect(order).toMatchObject(cents);
      const intent = opened[index] ?? "";
      this.open.push({
        buyer: buyer.person,
        seller: seller.person,
        booking,
        intent,
        model: deal,
      });
    }
  }

  async pay({ who }: Choice): Promise<void> {
    const deal = take(this.open, who);
    if (!deal) return;
    const { buyer, booking, intent, model: bought } = deal;
    await this.place.shop.cards.pay(intent);
    const price = bought.price / 100;
    await buyer.call(recordPayment, {
      body: { price, transactionId: intent, bookingId: booking },
    });
    // Another member who pays with this card would look like the same person.
    await forgetCards(this.place.shop);
    bought.buyer.bought.add(bought);
    const { hasDiscount } = await buyer.call(readInvitationOffer, {});
    expect(hasDiscount).toBe(model.isOffered(bought.buyer));
    this.paid.push(deal);
  }

  async cancel({ who }: Choice): Promise<void> {
    const deal = this.open[who % (this.open.length || 1)];
    if (deal) await this.end(deal);
  }

  async cancelAll(): Promise<void> {
    for (const deal of [...this.open]) await this.end(deal);
  }

  private async end(deal: Purchase): Promise<void> {
    this.open.splice(this.open.indexOf(deal), 1);
    await cancelHold(deal.buyer, deal.booking);
    model.giveBack(deal.model, deal.model.price);
  }

  async refund({ who }: Choice): Promise<void> {
    const deal = take(this.paid, who);
    if (!deal) return;
    await refund(this.place.admin, deal.booking);
    await this.finishRefunds();
    model.giveBack(deal.model, deal.model.price);
  }

  async release({ who }: Choice): Promise<void> {
    const deal = take(this.paid, who);
    if (!deal) return;
    await handOver(deal);
    const { deps } = this.place.shop;
    await endTime(deps, deal.booking);
    await meetDeadline(deps, deal.booking);
    await settleDeals(deps);
    const { state } = await settlementOf(this.place.shop, deal);
    deal.model.released = state === "released";
  }

  /** Files a complaint, for which an admin refunds all of the price, or all but a dollar. */
  async complain({ who, much }: Choice): Promise<void> {
    const deal = take(this.paid, who);
    if (!deal) return;
    await handOver(deal);
    const { booking, buyer, seller } = deal;
    const params = { id: booking };
    const reason = "not_working" as const;
    await buyer.call(complain, { body: { bookingId: booking, reason, words: "It is dead." } });
    const answer = { answer: "disagree" as const, words: "It worked." };
    await seller.call(answerComplaint, { params, body: answer });
    const cents = much % 2 === 0 ? deal.model.price : deal.model.price - 100;
    const body = { refund: cents / 100, words: "Decided.", atOnce: true };
    await this.place.admin.call(decideComplaint, { params, body });
    await this.finishRefunds();
    model.giveBack(deal.model, cents);
  }

  private async finishRefunds(): Promise<void> {
    const { deps } = this.place.shop;
    const payments = deps.db.selectFrom("payments").select("id");
    for (const { id } of await payments.where("owed_since", "is not", null).execute())
      await refundPayment(deps, id);
  }

  /** Runs the reward job twice at the same time. Each reward must be given only once. */
  async reward(_: Choice): Promise<void> {
    const { deps, clock } = this.place.shop;
    await Promise.all([rewardInvitations(deps), rewardInvitations(deps)]);
    model.reward(
      this.buyers.map((one) => one.model),
      clock.now().getTime(),
    );
  }

  /** Ends all deals after 190 days. After 31 more days, returned credit may expire as well. */
  async expire(_: Choice): Promise<void> {
    const { deps, clock } = this.place.shop;
    clock.advance(190 * day);
    for (const deal of this.open.splice(0)) {
      await expireHold(deps, deal.booking);
      model.giveBack(deal.model, deal.model.price);
    }
    for (const deal of this.paid.splice(0)) {
      await meetDeadline(deps, deal.booking);
      await this.finishRefunds();
      model.giveBack(deal.model, deal.model.price);
    }
    clock.advance(31 * day);
    await Promise.all([expireCredits(deps), expireCredits(deps)]);
    for (const one of this.everyone) model.expire(one.model, clock.now().getTime());
  }
}

/** Makes payments to a seller without a bank account, which stay in the shop and fund discounts. */
async function fundDiscounts(shop: Shop): Promise<void> {
  const seller = await member(shop, { accountType: "seller" });
  for (let count = 0; count < 4; count += 1) await deal(shop, "paid", { seller });
  await forgetCards(shop);
  await shop.cards.advanceClock(8);
}

function pick<T>(all: readonly T[], nth: number): T {
  const found = all[nth % all.length];
  if (found === undefined) throw new Error("There is none.");
  return found;
}

function take<T>(all: T[], nth: number): T | undefined {
  return all.length === 0 ? undefined : all.splice(nth % all.length, 1)[0];
}
