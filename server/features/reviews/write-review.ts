import type { ExpressionBuilder } from "kysely";
import type { z } from "zod";
import type { newReview } from "#contract/reviews.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { DB } from "../../db/schema.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { removeContacts } from "../masking/mask-contacts.ts";
import { publishReviews } from "./publish-reviews.ts";

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
    const { closesAt, published, role, subjectId } = await lockWindow(tx, author, booking);
    const written = await tx
      .selectFrom("reviews")
      .select("author_id")
      .where("booking_id", "=", booking)
      .execute();
    if (written.some(({ author_id }) => author_id === author.id))
      throw new AppError("ALREADY_REVIEWED", "You've already reviewed this deal.");
    if (published || at >= closesAt)
      throw new AppError("REVIEWS_CLOSED", "The time to review this deal is over.");
    const id = newId(at);
    await tx
      .insertInto("reviews")
      .values({
        id,
        booking_id: booking,
        stars,
        text: removeContacts(text),
        written_at: at,
        author_id: author.id,
        subject_id: subjectId,
        author_role: role,
      })
      .execute();
    await recordAudit(tx, { at, actor: author.id, verb: "write", object: "review", objectId: id });
    if (written.length > 0)
      await publishReviews(tx, deps, { bookingId: booking, actor: author.id });
    return id;
  });
}

/** Locks a deal's review window, so that the second of two concurrent reviews finds the first. */
async function lockWindow(tx: Tx, { id }: Member, bookingId: string) {
  const found = await tx
    .selectFrom("review_windows")
    .select(["buyer_id", "seller_id", "closes_at", "published_at"])
    .where("booking_id", "=", bookingId)
    .where(({ or, eb }) => or([eb("buyer_id", "=", id), eb("seller_id", "=", id)]))
    .forUpdate()
    .executeTakeFirstOrThrow(orNotFound("You have no such deal to review."));
  const isBuyer = found.buyer_id === id;
  return {
    closesAt: found.closes_at,
    published: found.published_at !== null,
    role: isBuyer ? "buyer" : "seller",
    subjectId: isBuyer ? found.seller_id : found.buyer_id,
  };
}

/** Throws `NOT_FOUND`, or `STALE` for a second reply. */
export async function replyToReview(
  { db, clock }: Deps,
  member: Member,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const at = clock.now();
  await transact(db, "replyToReview", async (tx) => {
    const replied = await tx
      .updateTable("reviews")
      .set({ reply: removeContacts(text) })
      .where(isAbout(member, id))
      .where("reply", "is", null)
      .executeTakeFirst();
    if (replied.numUpdatedRows === 0n) {
      const about = tx.selectFrom("reviews").select("id").where(isAbout(member, id));
      throw (await about.executeTakeFirst())
        ? new AppError("STALE", "You've already replied to this review.")
        : new AppError("NOT_FOUND", "There is no such review about you.");
    }
    await recordAudit(tx, { at, actor: member.id, verb: "reply", object: "review", objectId: id });
  });
}

function isAbout(member: Member, id: string) {
  return ({ and, eb }: ExpressionBuilder<DB, "reviews">) =>
    and([
      eb("id", "=", id),
      eb("subject_id", "=", member.id),
      eb("published_at", "is not", null),
      eb("removed_at", "is", null),
    ]);
}
