import type { z } from "zod";
import { type newReview, reviewDays } from "#contract/reviews.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { removeContacts } from "../masking/mask-contacts.ts";
import { dayMs, invitedOnDays, publishReviews } from "./publish-reviews.ts";

/**
 * Writes a review. A deal's second review publishes both. Throws `NOT_FOUND`, `ALREADY_REVIEWED` or
 * `REVIEWS_CLOSED`.
 */
export async function writeReview(
  deps: Deps,
  author: Member,
  { booking, stars, text }: z.output<typeof newReview>,
): Promise<string> {
  const at = deps.clock.now();
  return await transact(deps.db, "writeReview", async (tx) => {
    const window = await lockWindow(tx, author, booking);
    const written = await tx
      .selectFrom("reviews")
      .select("author_id")
      .where("booking_id", "=", booking)
      .execute();
    if (written.some(({ author_id }) => author_id === author.id))
      throw new AppError("ALREADY_REVIEWED", "You've already reviewed this deal.");
    if (window.published_at !== null || at >= window.closes_at)
      throw new AppError("REVIEWS_CLOSED", "The time to review this deal is over.");
    const id = newId(at);
    const isBuyer = window.buyer_id === author.id;
    await tx
      .insertInto("reviews")
      .values({
        id,
        booking_id: booking,
        stars,
        text: removeContacts(text),
        written_at: at,
        author_id: author.id,
        subject_id: isBuyer ? window.seller_id : window.buyer_id,
        author_role: isBuyer ? "buyer" : "seller",
      })
      .execute();
    await recordAudit(tx, { at, actor: author.id, verb: "write", object: "review", objectId: id });
    if (written.length > 0)
      await publishReviews(tx, deps, { bookingId: booking, actor: author.id });
    return id;
  });
}

type ReviewedDeal = { booking_id: string; buyer_id: string; seller_id: string; opened_at: Date };

/** Opens the window for reviews of a deal that was handed over. */
export async function openReviews(tx: Tx, deal: ReviewedDeal): Promise<void> {
  const after = (days: number) => new Date(deal.opened_at.getTime() + days * dayMs);
  const [firstInvitation = reviewDays] = invitedOnDays;
  await tx
    .insertInto("review_windows")
    .values({ ...deal, closes_at: after(reviewDays), next_step_at: after(firstInvitation) })
    .execute();
}

/** Locks a deal's review window, so that the second of two concurrent reviews finds the first. */
async function lockWindow(tx: Tx, { id }: Member, bookingId: string) {
  return await tx
    .selectFrom("review_windows")
    .select(["buyer_id", "seller_id", "closes_at", "published_at"])
    .where("booking_id", "=", bookingId)
    .where(({ or, eb }) => or([eb("buyer_id", "=", id), eb("seller_id", "=", id)]))
    .forUpdate()
    .executeTakeFirstOrThrow(orNotFound("You have no such deal to review."));
}

/** Throws `NOT_FOUND`, or `STALE` for a second reply. */
export async function replyToReview(
  { db, clock }: Deps,
  member: Member,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const at = clock.now();
  await transact(db, "replyToReview", async (tx) => {
    const review = await tx
      .selectFrom("reviews")
      .select("reply")
      .where("id", "=", id)
      .where("subject_id", "=", member.id)
      .where("published_at", "is not", null)
      .where("removed_at", "is", null)
      .forUpdate()
      .executeTakeFirstOrThrow(orNotFound("There is no such review about you."));
    if (review.reply !== null)
      throw new AppError("STALE", "You've already replied to this review.");
    const reply = removeContacts(text);
    await tx.updateTable("reviews").set({ reply }).where("id", "=", id).execute();
    await recordAudit(tx, { at, actor: member.id, verb: "reply", object: "review", objectId: id });
  });
}
