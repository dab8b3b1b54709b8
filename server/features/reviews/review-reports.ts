import type { ReviewReport } from "#contract/reviews.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { orNotFound } from "../../errors.ts";
import { insertReport } from "../reports/reports.ts";
import { refuseOwnCase } from "../staff/conflict-of-interest.ts";
import { selectPublished, toReview } from "./shown-reviews.ts";

const noReview = orNotFound("There is no such review.");

/** Throws `NOT_FOUND`, or `ALREADY_REPORTED` while the member's earlier report is open. */
export async function reportReview(
  { db, clock }: Deps,
  reporter: Member,
  { id: reviewId, comment }: { id: string; comment: string },
): Promise<string> {
  const at = clock.now();
  return await transact(db, "reportReview", async (tx) => {
    await selectPublished(tx).where("r.id", "=", reviewId).executeTakeFirstOrThrow(noReview);
    const about = { object: "review", objectId: reviewId } as const;
    return await insertReport(tx, reporter, { ...about, comment, at });
  });
}

export async function listReviewReports(tx: Tx, paging: Paging): Promise<Page<ReviewReport>> {
  const reports = selectPublished(tx)
    .innerJoin("review_reports as report", "report.review_id", "r.id")
    .innerJoin("members as reporter", "reporter.id", "report.reporter_id")
    .innerJoin("members as subject", "subject.id", "r.subject_id")
    .select(["report.id", "report.comment", "report.reported_at"])
    .select(["reporter.name as reporter_name", "reporter.email as reporter_email"])
    .select(["subject.name as subject_name", "subject.email as subject_email"])
    .select("author.email as author_email")
    .where("report.closed_at", "is", null);
  const order = { at: "report.reported_at", id: "report.id" } as const;
  return await newestFirst(reports, { ...order, ...paging }, (row) => {
    const { author: _, ...review } = toReview(row);
    return {
      _id: row.id,
      comment: row.comment,
      reportedAt: row.reported_at.toISOString(),
      reporter: { name: row.reporter_name, email: row.reporter_email },
      author: { name: row.author_name, email: row.author_email },
      subject: { name: row.subject_name, email: row.subject_email },
      review,
    };
  });
}

/**
 * Closes a report and leaves the review published. Throws `NOT_FOUND`, or `FORBIDDEN` for the
 * review's author.
 */
export async function closeReviewReport(
  { db, clock }: Deps,
  admin: Member,
  id: string,
): Promise<void> {
  const at = clock.now();
  await transact(db, "closeReviewReport", async (tx) => {
    const closed = await tx
      .updateTable("review_reports")
      .from("reviews")
      .whereRef("reviews.id", "=", "review_id")
      .set({ closed_at: at })
      .where("review_reports.id", "=", id)
      .where("closed_at", "is", null)
      .returning(["review_id", "author_id"])
      .executeTakeFirstOrThrow(orNotFound("This report was closed, or never existed."));
    refuseOwnCase(admin, closed.author_id);
    const what = { object: "review", objectId: closed.review_id } as const;
    await recordAudit(tx, { at, actor: admin.id, verb: "close report", ...what });
  });
}

/**
 * Removes a review from public pages. Its author and subject still see the stars and the reply, but
 * not the text. Throws `NOT_FOUND`, or `FORBIDDEN` for the subject.
 */
export async function removeReview(
  { db, clock }: Deps,
  admin: Member,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const at = clock.now();
  await transact(db, "removeReview", async (tx) => {
    const removed = await tx
      .updateTable("reviews")
      .set({ removed_at: at })
      .where("id", "=", id)
      .where("published_at", "is not", null)
      .where("removed_at", "is", null)
      .returning("subject_id")
      .executeTakeFirstOrThrow(noReview);
    refuseOwnCase(admin, removed.subject_id);
    await tx
      .updateTable("review_reports")
      .set({ closed_at: at })
      .where("review_id", "=", id)
      .where("closed_at", "is", null)
      .execute();
    const what = { object: "review", objectId: id, detail: { reason } } as const;
    await recordAudit(tx, { at, actor: admin.id, verb: "remove", ...what });
  });
}
