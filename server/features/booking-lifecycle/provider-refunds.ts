import { sql } from "kysely";
import type { Intent } from "../../adapters/cards/port.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { startRefund } from "./refunds.ts";

type ProviderRefund = { bookingId: string; paymentId: string; intent: Intent };

/**
 * Applies a refund made in the provider's dashboard. A full one cancels the sale, if the booking is still
 * paid; any other gets an audit row, once. Returns whether the sale was cancelled.
 */
export async function applyProviderRefund(
  tx: Tx,
  deps: Deps,
  { bookingId, paymentId, intent: { refunds, refundedCents: all, amountCents } }: ProviderRefund,
): Promise<boolean> {
  // Of a complaint, by the shop (decision 0073).
  const own = refunds.filter(
    ({ state, metadata }) => state !== "failed" && metadata.refundId !== undefined,
  );
  const refundedCents = all - own.reduce((sum, refund) => sum + refund.amountCents, 0);
  if (refundedCents === 0) return false;
  const by = { at: deps.clock.now(), actor: null };
  if (refundedCents === amountCents && (await startRefund(tx, deps, { ...by, bookingId })))
    return true;
  const verb = "refund elsewhere";
  const written = await tx
    .selectFrom("audit_log")
    .select("id")
    .where("object_id", "=", paymentId)
    .where("verb", "=", verb)
    .where(sql`detail ->> 'refundedCents'`, "=", String(refundedCents))
    .executeTakeFirst();
  const detail = { refundedCents };
  if (!written)
    await recordAudit(tx, { ...by, verb, object: "payment", objectId: paymentId, detail });
  return false;
}
