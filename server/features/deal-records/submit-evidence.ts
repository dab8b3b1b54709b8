import type { DisputeEvidence } from "../../adapters/cards/seller-payouts-port.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { readDealRecord } from "./read-deal-record.ts";

type Evidence = { bookingId: string; dispute: string; text: string };
type Intent = { paymentId: string; attempt: number; evidence: Content };
type Content = Omit<DisputeEvidence, "disputeId" | "idempotencyKey">;

/**
 * Sends evidence to the bank, once. It is written down first; if the answer is lost, the same words are sent again with
 * the same key. Refuses `NOT_FOUND`; `STALE` for other words than those, once it is sent, after the deadline, and if the
 * provider refuses it.
 */
export async function submitEvidence(deps: Deps, admin: Member, given: Evidence): Promise<void> {
  const { dispute: disputeId } = given;
  const intent = await transact(deps.db, "intendEvidence", (tx) =>
    intend(tx, { at: deps.clock.now(), admin, ...given }),
  );
  const idempotencyKey = `evidence:${disputeId}:${intent.attempt}`;
  const answer = await deps.cards.submitEvidence({ disputeId, ...intent.evidence, idempotencyKey });
  const at = deps.clock.now();
  const outcome = "refused" in answer ? { refusal: answer.refused } : { submitted_at: at };
  await transact(deps.db, "recordEvidence", async (tx) => {
    const recorded = await tx
      .updateTable("dispute_evidence")
      .set(outcome)
      .where("dispute_id", "=", disputeId)
      .where("attempt", "=", intent.attempt)
      .where("submitted_at", "is", null)
      .where("refusal", "is", null)
      .executeTakeFirst();
    if (recorded.numUpdatedRows === 0n || "refused" in answer) return;
    const what = { object: "payment", objectId: intent.paymentId } as const;
    await recordAudit(tx, { at, actor: admin.id, verb: "submitEvidence", ...what });
  });
  if ("refused" in answer)
    throw new AppError("STALE", `The card provider didn't take it: ${answer.message}`);
}

/** Writes the evidence down, unless an attempt without an answer is to be repeated. */
async function intend(
  tx: Tx,
  { bookingId, dispute, text, admin, at }: Evidence & { admin: Member; at: Date },
): Promise<Intent> {
  const found = await tx
    .selectFrom("disputes")
    .innerJoin("payments", "payments.id", "disputes.payment_id")
    .select(["disputes.state", "disputes.respond_by", "disputes.payment_id"])
    .where("disputes.id", "=", dispute)
    .where("payments.booking_id", "=", bookingId)
    .forUpdate("disputes")
    .executeTakeFirst();
  if (!found) throw new AppError("NOT_FOUND", "There is no such dispute.");
  const before = await tx
    .selectFrom("dispute_evidence")
    .select(["attempt", "evidence", "submitted_at", "refusal"])
    .where("dispute_id", "=", dispute)
    .executeTakeFirst();
  if (before?.submitted_at) throw new AppError("STALE", "Evidence about this dispute was sent.");
  const paymentId = found.payment_id;
  if (before && before.refusal === null) {
    const sent = before.evidence as Content;
    if (sent.text === text) return { paymentId, attempt: before.attempt, evidence: sent };
    throw new AppError(
      "STALE",
      "The text that you sent before may already be with the bank, so it can't be changed. Reload the page to see that text, and send it again to make sure.",
    );
  }
  if (found.state !== "open" || found.respond_by === null || found.respond_by <= at)
    throw new AppError("STALE", "The bank no longer takes evidence about this dispute.");
  const attempt = (before?.attempt ?? 0) + 1;
  const evidence = await contentOf(tx, bookingId, text);
  const row = { evidence: JSON.stringify(evidence), attempt, written_by: admin.id, written_at: at };
  await tx
    .insertInto("dispute_evidence")
    .values({ dispute_id: dispute, ...row })
    .onConflict((conflict) => conflict.column("dispute_id").doUpdateSet({ ...row, refusal: null }))
    .execute();
  return { paymentId, attempt, evidence };
}

async function contentOf(tx: Tx, bookingId: string, text: string): Promise<Content> {
  const { product, buyer, handover } = await readDealRecord(tx, bookingId);
  return {
    productDescription: `Used laptop: ${product.product_name}`,
    customerName: buyer.name,
    customerEmail: buyer.email,
    ...(handover && { serviceDate: handover.at.slice(0, 10) }),
    text,
  };
}
