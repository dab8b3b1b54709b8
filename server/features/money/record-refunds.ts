import type { MoveState } from "#contract/life-cycle.ts";
import type { Intent, Refund } from "../../adapters/cards/port.ts";
import type { Tx } from "../../db/database.ts";
import { changeMove, insertMove, listMoves, type Move } from "./money-moves.ts";

type ReportedPayment = { bookingId: string; paymentId: string; intent: Intent; at: Date };

/** `failed`: known refunds newly reported as failed. `elsewhere`: refunds made in the dashboard. */
type Recorded = { failed: Refund[]; elsewhere: Refund[] };

/** The shop's own refunds carry the move's id as metadata. The caller has locked the booking. */
export async function recordRefunds(
  tx: Tx,
  { bookingId, paymentId, intent, at }: ReportedPayment,
): Promise<Recorded> {
  const recorded: Recorded = { failed: [], elsewhere: [] };
  if (intent.refunds.length === 0) return recorded;
  const moves = await listMoves(tx, { paymentId, kind: "refund" });
  // The provider lists the newest refund first.
  for (const refund of intent.refunds.toReversed()) {
    const state = stateOf[refund.state];
    const known = moves.find((move) => isOf(move, refund));
    if (known && rankOf[state] <= rankOf[known.state]) continue;
    const { id: providerId, amountCents: cents, failureReason: refusal } = refund;
    if (known) await changeMove(tx, known.id, { state, at, providerId, refusal });
    else {
      const refunded = { bookingId, paymentId, kind: "refund", cents, state } as const;
      await insertMove(tx, { ...refunded, at, providerId, refusal });
      if (state !== "failed") recorded.elsewhere.push(refund);
    }
    if (known && state === "failed") recorded.failed.push(refund);
  }
  return recorded;
}

function isOf(move: Move, { id, metadata }: Refund): boolean {
  return move.provider_id === id || move.id === metadata.moveId;
}

const stateOf = { pending: "pending", succeeded: "made", failed: "failed" } as const;

/** A later state has a higher rank, because reports may arrive out of order. */
const rankOf: Record<MoveState, number> = {
  intended: 0,
  refused: 0,
  pending: 1,
  made: 2,
  failed: 3,
};
