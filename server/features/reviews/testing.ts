import { confirmHandover } from "#contract/handover.ts";
import { writeReview } from "#contract/reviews.ts";
import { cardsOf } from "../../testing/cards.ts";
import { type Deal, listLaptop, openDeal, payForDeal } from "../../testing/marketplace.ts";
import type { Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

/** A deal that is paid for and handed over. */
export async function completeDeal(
  shop: Shop,
  seller: Person,
  buyer: Person,
): Promise<Deal<Person>> {
  const deal = await openDeal(buyer, await listLaptop(seller));
  await payForDeal(cardsOf(shop), deal);
  await buyer.call(confirmHandover, { body: { id: deal.booking } });
  return deal;
}

type Written = { text?: string; stars?: number };

/** Reviews a deal; returns the review's id. */
export async function review(
  author: Person,
  { booking }: Pick<Deal, "booking">,
  { text = "On time, and as described.", stars = 5 }: Written = {},
): Promise<string> {
  return (await author.call(writeReview, { body: { booking, stars, text } })).insertedId;
}
