import { describe, expect } from "vitest";
import { listSellerReviews, newReview, replyForm, reviewDays } from "#contract/reviews.ts";
import { removeContacts } from "../server/features/masking/mask-contacts.ts";
import { deal } from "../server/testing/deal.ts";
import { dealTest } from "../server/testing/fixtures.ts";
import { createVisitor, memberOf } from "../server/testing/people.ts";
import { pastBookings } from "./list-past-sales.ts";
import { reviews, writeReviews } from "./reviews.ts";

const test = dealTest();

describe("demo reviews", () => {
  test("demo reviews pass validation and contain no contact details", () => {
    for (const { ofSeller, ofBuyer, reply = "Thanks!" } of reviews) {
      for (const review of [ofSeller, ofBuyer])
        expect(newReview.omit({ booking: true }).safeParse(review).error).toBeUndefined();
      expect(replyForm.safeParse({ text: reply }).error).toBeUndefined();
      for (const text of [ofSeller.text, ofBuyer.text, reply])
        expect(removeContacts(text)).toBe(text);
    }
  });

  test("each demo review is about a past sale, and was written between the handover and today", () => {
    expect(new Set(reviews.map(({ product_name }) => product_name)).size).toBe(reviews.length);
    for (const { product_name } of reviews) {
      const sale = pastBookings.find((booking) => booking.product_name === product_name);
      expect(sale?.state).toBe("completed");
      expect(sale?.handedOverHoursAgo).toBeGreaterThan(33);
    }
    expect(33).toBeLessThan(reviewDays * 24);
  });

  test("writing the demo reviews twice stores one review of the seller and one reply", async ({
    shop,
    seller,
    buyer,
  }) => {
    const { booking } = await deal(shop, "handedOver", { seller, buyer });
    const { product_name } = await shop.deps.db
      .selectFrom("products")
      .innerJoin("bookings", "bookings.product_id", "products.id")
      .select("product_name")
      .where("bookings.id", "=", booking)
      .executeTakeFirstOrThrow();
    const of = { stars: 5, text: "As described." };
    const list = [{ product_name, ofSeller: of, ofBuyer: { ...of, stars: 4 }, reply: "Enjoy it!" }];
    const people = { buyers: { nora: memberOf(buyer) }, sellers: { marta: memberOf(seller) } };
    for (let times = 0; times < 2; times += 1) await writeReviews(shop.deps, people, list);
    const shown = await createVisitor(shop).call(listSellerReviews, { params: { id: seller.id } });
    expect(shown).toMatchObject([{ stars: 5, text: "As described.", reply: "Enjoy it!" }]);
  });
});
