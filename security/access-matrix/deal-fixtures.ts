import { newId } from "#server/db/ids.ts";
import { openReviews } from "#server/features/reviews/write-review.ts";
import type { Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { phoneOf } from "./actors.ts";

type ForOffers = {
  product(seller: Person): Promise<string>;
  sidesOf(party: Person): { buyer: Person; seller: Person };
};

export function createOfferFixtures(shop: Shop, { product, sidesOf }: ForOffers) {
  const { db } = shop.deps;

  async function offer(party: Person, which: "by" | "to") {
    const { buyer, seller } = sidesOf(party);
    const isBuyer = (party.id === buyer.id) === (which === "by");
    const at = shop.clock.now();
    const id = newId(at);
    const sides = { product_id: await product(seller), buyer_id: buyer.id, seller_id: seller.id };
    await db
      .insertInto("offers")
      .values({
        id,
        ...sides,
        made_by: isBuyer ? "buyer" : "seller",
        price_cents: isBuyer ? 45_000 : 50_000,
        made_at: at,
        expires_at: new Date(at.getTime() + 3_600_000),
        phone: phoneOf(buyer),
        location: "Leeds station",
      })
      .execute();
    return id;
  }

  return { offer };
}

type ForReviews = {
  deal(buyer: Person, seller: Person, state: "completed"): Promise<string>;
  sidesOf(party: Person): { buyer: Person; seller: Person };
};

export function createReviewFixtures(shop: Shop, { deal, sidesOf }: ForReviews) {
  const { db } = shop.deps;
  const now = () => shop.clock.now();

  async function dealToReview(party: Person, daysAgo = 0) {
    const { buyer, seller } = sidesOf(party);
    const booking_id = await deal(buyer, seller, "completed");
    const opened_at = new Date(now().getTime() - daysAgo * 24 * 3_600_000);
    const sides = { buyer_id: buyer.id, seller_id: seller.id };
    await openReviews(db, { ...sides, booking_id, opened_at });
    return booking_id;
  }

  async function reviewAbout(subject: Person) {
    const { buyer, seller } = sidesOf(subject);
    const isSeller = subject.id === seller.id;
    const [id, booking_id, at] = [newId(now()), await dealToReview(subject), now()];
    const written = { stars: 4, text: "On time, and as described.", written_at: at };
    await db
      .insertInto("reviews")
      .values({
        id,
        booking_id,
        ...written,
        author_id: isSeller ? buyer.id : seller.id,
        subject_id: subject.id,
        author_role: isSeller ? "buyer" : "seller",
      })
      .execute();
    await db
      .updateTable("review_windows")
      .set({ published_at: at, next_step_at: null })
      .where("booking_id", "=", booking_id)
      .execute();
    await db.updateTable("reviews").set({ published_at: at }).where("id", "=", id).execute();
    return id;
  }

  async function reportedReview(subject: Person) {
    const [id, review_id] = [newId(now()), await reviewAbout(subject)];
    const report = { id, review_id, reporter_id: subject.id, comment: "Not true." };
    await db
      .insertInto("review_reports")
      .values({ ...report, reported_at: now() })
      .execute();
    return { id, review_id };
  }

  return { dealToReview, reviewAbout, reportedReview };
}
