import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { forEachId } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo, type EmailMessage } from "../../email/email.ts";
import { hasStopped, unsubscribeLink } from "../../email/opt-outs.ts";
import { shownNameColumn } from "../saved/saved-products.ts";
import { invitationToReview, publishedReviewsEmail } from "./emails.ts";
import type { Role } from "./shown-reviews.ts";

/** Job `reviewSteps`: asks for missing reviews, and publishes the reviews when the window ends. */
export async function takeReviewSteps(deps: Deps): Promise<void> {
  const due = deps.db.selectFrom("review_windows").where("next_step_at", "<=", deps.clock.now());
  await forEachId(due, "booking_id", (bookingId) => takeStep(deps, bookingId));
}

async function takeStep(deps: Deps, bookingId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `reviewSteps ${bookingId}`, async (tx) => {
    const due = await tx
      .selectFrom("review_windows")
      .select(["opened_at", "closes_at"])
      .where("booking_id", "=", bookingId)
      .where("next_step_at", "<=", at)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!due) return;
    if (at >= due.closes_at) return await publishReviews(tx, deps, { bookingId, actor: null });
    await inviteToReview(tx, deps, { bookingId, closesAt: due.closes_at });
    const steps = invitedOnDays.map((days) => new Date(due.opened_at.getTime() + days * dayMs));
    const next_step_at = steps.find((step) => step > at) ?? due.closes_at;
    await tx
      .updateTable("review_windows")
      .set({ next_step_at })
      .where("booking_id", "=", bookingId)
      .execute();
  });
}

/** Publishes a deal's reviews. The caller must have locked the review window. */
export async function publishReviews(
  tx: Tx,
  deps: Deps,
  { bookingId, actor }: { bookingId: string; actor: string | null },
): Promise<void> {
  const at = deps.clock.now();
  await tx
    .updateTable("review_windows")
    .set({ published_at: at, next_step_at: null })
    .where("booking_id", "=", bookingId)
    .execute();
  const published = await tx
    .updateTable("reviews")
    .set({ published_at: at })
    .where("booking_id", "=", bookingId)
    .returning(["id", "subject_id"])
    .execute();
  for (const { id: objectId } of published)
    await recordAudit(tx, { at, actor, verb: "publish", object: "review", objectId });
  const reviewed = new Set(published.map(({ subject_id }) => subject_id));
  const url = `${deps.config.publicUrl}/dashboard/reviews`;
  const both = published.length > 1;
  const write = (side: Side) =>
    reviewed.has(side.id) ? publishedReviewsEmail({ ...side, both, url }) : undefined;
  await mailSides(tx, deps, { bookingId, write });
}

type Invited = { bookingId: string; closesAt: Date };

async function inviteToReview(tx: Tx, deps: Deps, { bookingId, closesAt }: Invited): Promise<void> {
  const at = deps.clock.now();
  const daysLeft = Math.ceil((closesAt.getTime() - at.getTime()) / dayMs);
  const url = `${deps.config.publicUrl}/dashboard/reviews?deal=${bookingId}`;
  const write = (side: Side) =>
    side.own_review === null ? invitationToReview({ ...side, daysLeft, url }) : undefined;
  await mailSides(tx, deps, { bookingId, write });
}

type Side = Awaited<ReturnType<typeof listSides>>[number] & { unsubscribeUrl: string };
type Mailing = { bookingId: string; write(side: Side): EmailMessage | undefined };

async function mailSides(tx: Tx, deps: Deps, { bookingId, write }: Mailing): Promise<void> {
  for (const side of await listSides(tx, bookingId)) {
    const unsubscribeUrl = await unsubscribeLink(deps, { topic: "reviews", id: side.id });
    const email = write({ ...side, unsubscribeUrl });
    if (email) await deps.emailQueue.add(tx, { kind: "alert", ...addressedTo(side), ...email });
  }
}

/** Lists the sides that get emails about reviews. */
async function listSides(tx: Tx, bookingId: string) {
  return await tx
    .selectFrom("review_windows as w")
    .innerJoin("bookings", "bookings.id", "w.booking_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("members as seller", "seller.id", "w.seller_id")
    .innerJoin("members as side", (join) =>
      join.on(sql<boolean>`side.id in (w.buyer_id, w.seller_id)`),
    )
    .leftJoin("reviews as own", (join) =>
      join.onRef("own.booking_id", "=", "w.booking_id").onRef("own.author_id", "=", "side.id"),
    )
    .select(["side.id", "side.name", "side.email", "own.id as own_review"])
    .select(sql<Role>`case when side.id = w.buyer_id then 'buyer' else 'seller' end`.as("role"))
    .select(shownNameColumn.as("laptop"))
    .where("w.booking_id", "=", bookingId)
    .where("side.deleted_at", "is", null)
    .where("side.suspended_at", "is", null)
    .where(({ not }) => not(hasStopped("reviews", sql.ref("side.id"))))
    .execute();
}

export const dayMs = 24 * 3_600_000;

/** When a side is asked for its missing review, in days after the handover. */
export const invitedOnDays = [1, 10];
