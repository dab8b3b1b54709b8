import type { Tx } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { followDecision } from "./decide.ts";
import { absent, changeMove, type Move } from "./money-moves.ts";

const hour = 3_600_000;

/** Multiplied by the attempt number. */
const retryMs = hour;
const longestRetryMs = 24 * hour;

type Refused = { transfer: Move; refusal: string };

/** Retries at once if the call never arrived. The caller has locked the booking. */
export async function refuseTransfer(
  tx: Tx,
  { clock, shop }: Deps,
  { transfer, refusal }: Refused,
): Promise<void> {
  const at = clock.now();
  const { id, booking_id: bookingId, account_id, attempt } = transfer;
  await changeMove(tx, id, { state: "refused", refusal, at });
  const waitMs = refusal === absent ? 0 : Math.min(retryMs * attempt, longestRetryMs);
  await tx
    .updateTable("settlements")
    .set({ retry_at: new Date(at.getTime() + waitMs) })
    .where("booking_id", "=", bookingId)
    .execute();
  const by = { at, actor: null, verb: "refuse transfer", object: "booking" } as const;
  await recordAudit(tx, { ...by, objectId: bookingId, detail: { attempt, reason: refusal } });
  // A bank may have returned all of the money to the buyer since the transfer was requested.
  await followDecision(tx, { bookingId, currency: shop.currency, at });
  if (refusal === "transfers_not_allowed" && account_id !== null)
    await enqueue(tx, "readSellerAccount", { payload: { accountId: account_id } });
}
