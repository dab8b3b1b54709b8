import { sql } from "kysely";
import { reviewDays } from "#contract/reviews.ts";
import { type Tx, transact } from "../../db/database.ts";
import { isErased } from "../../db/member.ts";
import { forEachId } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo } from "../../email/email.ts";
import { hasStopped, unsubscribeLink } from "../../email/opt-outs.ts";
import { shownNameColumn } from "../saved/saved-products.ts";
import { invitationToReview, publishedReviewsEmail } from "./emails.ts";

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
  for (const side of await listSides(tx, bookingId)) {
    if (!reviewed.has(side.id) || !side.wanted) continue;
    const unsubscribeUrl = await unsubscribeLink(deps, { topic: "reviews", id: side.id });
    const both = published.length > 1;
    const email = publishedReviewsEmail({ laptop: side.laptop, both, url, unsubscribeUrl });
    await deps.emailQueue.add(tx, { kind: "alert", ...addressedTo(side), ...email });
  }
}

type Invited = { bookingId: string; closesAt: Date };

async function inviteToReview(tx: Tx, deps: Deps, { bookingId, closesAt }: Invited): Promise<void> {
  const at = deps.clock.now();
  const daysLeft = Math.ceil((closesAt.getTime() - at.getTime()) / dayMs);
  for (const side of await listSides(tx, bookingId)) {
    if (side.written || !side.wanted) continue;
    const unsubscribeUrl = await unsubscribeLink(deps, { topic: "reviews", id: side.id });
    const url = `${deps.config.publicUrl}/dashboard/reviews?deal=${bookingId}`;
    const about = { laptop: side.laptop, role: side.role, daysLeft };
    const email = invitationToReview({ ...about, url, unsubscribeUrl });
    await deps.emailQueue.add(tx, { kind: "alert", ...addressedTo(side), ...email });
  }
}

async function listSides(tx: Tx, bookingId: string) {
  const rows = await tx
    .selectFrom("review_windows as w")
    .innerJoin("bookings", "bookings.id", "w.booking_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .innerJoin("members as seller", "seller.id", "w.seller_id")
    .innerJoin("members as side", (join) =>
      join.on(({ or, eb, ref }) =>
        or([eb("side.id", "=", ref("w.buyer_id")), eb("side.id", "=", ref("w.seller_id"))]),
      ),
    )
    .leftJoin("reviews as own", (join) =>
      join.onRef("own.booking_id", "=", "w.booking_id").onRef("own.author_id", "=", "side.id"),
    )
    .select(["side.id", "side.name", "side.email", "side.deleted_at", "side.suspended_at"])
    .select(["w.buyer_id", "own.id as own_review"])
    .select(hasStopped("reviews", sql.ref("side.id")).as("stopped"))
    .select(shownNameColumn.as("laptop"))
    .where("w.booking_id", "=", bookingId)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    laptop: row.laptop,
    role: row.buyer_id === row.id ? ("buyer" as const) : ("seller" as const),
    written: row.own_review !== null,
    wanted:
      !row.stopped && row.deleted_at === null && row.suspended_at === null && !isErased(row.email),
  }));
}

const dayMs = 24 * 3_600_000;

/** When a side is asked for its missing review, in days after the handover. */
const invitedOnDays = [1, 10];

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
