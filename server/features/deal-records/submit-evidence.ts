import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { MoneyRefusal } from "../../adapters/cards/seller-payouts-port.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { imagePath } from "../images/unused-images.ts";
import { drawEvidencePhotos } from "./evidence-photos.ts";
import { type Evidence, type Intent, intendEvidence } from "./intend-evidence.ts";

/**
 * Sends evidence to the bank, once. Stores the evidence first, so that a retry after a lost
 * response sends the same text and picture with the same key. Throws `NOT_FOUND`. Throws `STALE`
 * for changed or already sent evidence, after the deadline, for an unreadable photo, and if the
 * provider rejects the evidence.
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

/** Builds an update that changes nothing if the attempt's outcome is already recorded. */
function updateAttempt(tx: Tx, disputeId: string, { attempt }: Intent) {
  return tx
    .updateTable("dispute_evidence")
    .where("dispute_id", "=", disputeId)
    .where("attempt", "=", attempt)
    .where("submitted_at", "is", null)
    .where("refusal", "is", null);
}

/** Uploads the photos, unless the provider already has them, and stores the provider's file id. */
async function uploadPhotos(
  deps: Deps,
  disputeId: string,
  intent: Intent,
): Promise<string | undefined> {
  const { photos = [], fileId } = intent.evidence;
  if (photos.length === 0 || fileId !== undefined) return fileId;
  const jpeg = await drawEvidencePhotos(deps, photos);
  // The key contains the picture's hash, because another library version may draw other bytes.
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
