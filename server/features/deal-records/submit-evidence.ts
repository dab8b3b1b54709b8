import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { DisputeEvidence, MoneyRefusal } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { imagePath } from "../images/photo-files.ts";
import { drawEvidencePhotos, type EvidencePhoto, listEvidencePhotos } from "./evidence-photos.ts";
import { type Reader, readDealRecord } from "./read-deal-record.ts";

/**
 * Stores the evidence first, so that a retry after a lost response sends the same text and photos
 * with the same key. Throws `NOT_FOUND`, `UNAVAILABLE`, `PROVIDER_UNAVAILABLE` and `STALE`.
 */
export async function submitEvidence(deps: Deps, admin: Member, given: Evidence): Promise<void> {
  const { dispute: disputeId } = given;
  const photos = given.photos.map((photo) => imagePath(photo, deps.config.publicUrl));
  const intent = await transact(deps.db, "intendEvidence", (tx) =>
    intendEvidence({ ...deps, db: tx }, { ...given, photos }),
  );
  const { photos: _, ...words } = intent.evidence;
  const fileId = await uploadPhotos(deps, disputeId, intent);
  const evidence = { ...words, ...(fileId !== undefined && { fileId }) };
  const idempotencyKey = `evidence:${disputeId}:${intent.attempt}`;
  const answer = await deps.cards.submitEvidence({ disputeId, ...evidence, idempotencyKey });
  requireOutcome(answer);
  const at = deps.clock.now();
  const outcome = "refused" in answer ? { refusal: answer.refused } : { submitted_at: at };
  await transact(deps.db, "recordEvidence", async (tx) => {
    const recorded = await updateAttempt(tx, disputeId, intent).set(outcome).executeTakeFirst();
    if (recorded.numUpdatedRows === 0n || "refused" in answer) return;
    const what = { object: "payment", objectId: intent.paymentId } as const;
    await recordAudit(tx, { at, actor: admin.id, verb: "submitEvidence", ...what });
  });
  if ("refused" in answer)
    throw new AppError("STALE", `The card provider didn't take it: ${answer.message}`);
}

/** Throws `STALE` while another call with the same key runs, because the outcome is unknown. */
function requireOutcome(answer: object | MoneyRefusal): void {
  if ("refused" in answer && answer.refused === "idempotency_key_in_use")
    throw new AppError(
      "STALE",
      "This evidence is being sent just now. Reload the page in a minute.",
    );
}

/** Changes nothing if the attempt's outcome is already recorded. */
function updateAttempt(tx: Tx, disputeId: string, { attempt }: Intent) {
  return tx
    .updateTable("dispute_evidence")
    .where("dispute_id", "=", disputeId)
    .where("attempt", "=", attempt)
    .where("submitted_at", "is", null)
    .where("refusal", "is", null);
}

async function uploadPhotos(
  deps: Deps,
  disputeId: string,
  intent: Intent,
): Promise<string | undefined> {
  const { photos = [], fileId } = intent.evidence;
  if (photos.length === 0 || fileId !== undefined) return fileId;
  const jpeg = await drawEvidencePhotos(deps, photos);
  // The key contains the file's hash: another library version may encode these photos differently.
  const sha256 = createHash("sha256").update(jpeg).digest("hex");
  const idempotencyKey = `evidence-photos:${disputeId}:${intent.attempt}:${sha256}`;
  const answer = await deps.cards.uploadEvidence({ jpeg, idempotencyKey });
  requireOutcome(answer);
  const isWithoutFile = sql<boolean>`evidence ->> 'fileId' is null`;
  if ("refused" in answer) {
    const { refused: refusal, message } = answer;
    const attempt = updateAttempt(deps.db, disputeId, intent).set({ refusal });
    await attempt.where(isWithoutFile).execute();
    throw new AppError(
      "STALE",
      `The card provider didn't take the photos, and nothing was sent. You can send the text without them. ${message}`,
    );
  }
  const added = JSON.stringify({ fileId: answer.fileId });
  const written = await updateAttempt(deps.db, disputeId, intent)
    .set({ evidence: sql`evidence || ${added}::jsonb` })
    .where(sql<boolean>`coalesce(evidence ->> 'fileId', ${answer.fileId}) = ${answer.fileId}`)
    .executeTakeFirst();
  if (written.numUpdatedRows === 0n)
    throw new AppError(
      "STALE",
      "Evidence about this dispute was changed meanwhile. Reload the page.",
    );
  return answer.fileId;
}

/** `photos`: ids from `listEvidencePhotos`. */
type Evidence = { bookingId: string; dispute: string; text: string; photos: string[] };
/** `fileId` is set once the provider has the photos. */
export type Content = Omit<DisputeEvidence, "disputeId" | "idempotencyKey"> & {
  photos?: EvidencePhoto[];
};
type Intent = { paymentId: string; attempt: number; evidence: Content };

async function intendEvidence(deps: Reader, given: Evidence): Promise<Intent> {
  const { db: tx, clock } = deps;
  const at = clock.now();
  const { dispute } = given;
  const found = await lockDispute(tx, given);
  const paymentId = found.payment_id;
  const before = await tx
    .selectFrom("dispute_evidence")
    .select(["attempt", "evidence", "submitted_at", "refusal"])
    .where("dispute_id", "=", dispute)
    .executeTakeFirst();
  if (before?.submitted_at) throw new AppError("STALE", "Evidence about this dispute was sent.");
  if (before && before.refusal === null) {
    const sent = before.evidence as Content;
    if (isSame(sent, given)) return { paymentId, attempt: before.attempt, evidence: sent };
    if (mayBeSubmitted(sent))
      throw new AppError(
        "STALE",
        "The text that you sent before may already be with the bank, so it can't be changed. Reload the page to see what you sent, and send it again to make sure.",
      );
  }
  if (found.state !== "open" || found.respond_by === null || found.respond_by <= at)
    throw new AppError("STALE", "The bank no longer takes evidence about this dispute.");
  const attempt = (before?.attempt ?? 0) + 1;
  const evidence = await contentOf(deps, given);
  const row = { evidence: JSON.stringify(evidence), attempt };
  await tx
    .insertInto("dispute_evidence")
    .values({ dispute_id: dispute, ...row })
    .onConflict((conflict) => conflict.column("dispute_id").doUpdateSet({ ...row, refusal: null }))
    .execute();
  return { paymentId, attempt, evidence };
}

async function lockDispute(tx: Tx, { dispute, bookingId }: Evidence) {
  return await tx
    .selectFrom("disputes")
    .innerJoin("payments", "payments.id", "disputes.payment_id")
    .select(["disputes.state", "disputes.respond_by", "disputes.payment_id"])
    .where("disputes.id", "=", dispute)
    .where("payments.booking_id", "=", bookingId)
    .forUpdate("disputes")
    .executeTakeFirstOrThrow(orNotFound("There is no such dispute."));
}

/** Whether `given` repeats the stored evidence. Ignores the photos once the provider has them. */
function isSame(sent: Content, given: Evidence): boolean {
  const ids = (sent.photos ?? []).map(({ id }) => id);
  if (sent.text !== given.text) return false;
  if (sent.fileId !== undefined) return true;
  return ids.length === given.photos.length && ids.every((id) => given.photos.includes(id));
}

/** Whether this evidence may have been submitted, which happens only after its photos' upload. */
export function mayBeSubmitted({ photos = [], fileId }: Content): boolean {
  return photos.length === 0 || fileId !== undefined;
}

async function contentOf(deps: Reader, { bookingId, text, photos }: Evidence): Promise<Content> {
  const deal = await readDealRecord(deps, bookingId);
  const { product, buyer, handover } = deal;
  const { listing, own } = await listEvidencePhotos(deps.db, deal);
  const chosen = [...listing, ...own].filter(({ id }) => photos.includes(id));
  if (chosen.length !== new Set(photos).size)
    throw new AppError("STALE", "The photos have changed. Reload the page to see them.");
  return {
    productDescription: `Used laptop: ${product.product_name}`,
    customerName: buyer.name,
    customerEmail: buyer.email,
    ...(handover && { serviceDate: handover.at.slice(0, 10) }),
    text,
    photos: chosen.map(({ id, file, caption }) => ({ id, file, caption })),
  };
}
