import type { DisputeEvidence } from "../../adapters/cards/seller-payouts-port.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { type EvidencePhoto, listEvidencePhotos } from "./evidence-photos.ts";
import { readDealRecord } from "./read-deal-record.ts";

/** `photos`: ids from `listEvidencePhotos`. */
export type Evidence = { bookingId: string; dispute: string; text: string; photos: string[] };
/** The stored evidence. `fileId`: set after the provider has received the photos. */
export type Content = Omit<DisputeEvidence, "disputeId" | "idempotencyKey"> & {
  photos?: EvidencePhoto[];
};
export type Intent = { paymentId: string; attempt: number; evidence: Content };

/** Stores evidence before it is sent. A retry after a lost response gets the stored evidence. */
export async function intendEvidence(
  deps: Pick<Deps, "clock" | "config"> & { db: Tx },
  given: Evidence,
): Promise<Intent> {
  const { db: tx, clock } = deps;
  const at = clock.now();
  const { dispute, bookingId } = given;
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
  const evidence = await contentOf(deps, bookingId, given);
  const row = { evidence: JSON.stringify(evidence), attempt };
  await tx
    .insertInto("dispute_evidence")
    .values({ dispute_id: dispute, ...row })
    .onConflict((conflict) => conflict.column("dispute_id").doUpdateSet({ ...row, refusal: null }))
    .execute();
  return { paymentId, attempt, evidence };
}

async function lockDispute(tx: Tx, { dispute, bookingId }: Evidence) {
  const found = await tx
    .selectFrom("disputes")
    .innerJoin("payments", "payments.id", "disputes.payment_id")
    .select(["disputes.state", "disputes.respond_by", "disputes.payment_id"])
    .where("disputes.id", "=", dispute)
    .where("payments.booking_id", "=", bookingId)
    .forUpdate("disputes")
    .executeTakeFirst();
  if (!found) throw new AppError("NOT_FOUND", "There is no such dispute.");
  return found;
}

/** Compares the texts and, unless the provider already has the photos, the photos too. */
function isSame(sent: Content, given: Evidence): boolean {
  const ids = (sent.photos ?? []).map(({ id }) => id);
  if (sent.text !== given.text) return false;
  if (sent.fileId !== undefined) return true;
  return ids.length === given.photos.length && ids.every((id) => given.photos.includes(id));
}

/**
 * Whether the bank might already have the evidence. The bank gets nothing before the photos are
 * uploaded.
 */
export function mayBeSubmitted({ photos = [], fileId }: Content): boolean {
  return photos.length === 0 || fileId !== undefined;
}

async function contentOf(
  deps: Pick<Deps, "clock" | "config"> & { db: Tx },
  bookingId: string,
  { text, photos }: Evidence,
): Promise<Content> {
  const { product, buyer, handover } = await readDealRecord(deps, bookingId);
  const { listing, own } = await listEvidencePhotos(deps, bookingId);
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
