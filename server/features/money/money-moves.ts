import { type Selectable, sql } from "kysely";
import type { MoveKind, MoveState } from "#contract/life-cycle.ts";
import type { Tx } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { MoneyMoves } from "../../db/schema.ts";
import { AppError } from "../../errors.ts";

export type Move = Selectable<MoneyMoves>;

/** Maximum time in which a call without a response may still reach the provider. */
const latestArrivalMs = 10 * 60_000;

/** The refusal code of a move whose call seems never to have reached the provider. */
export const absent = "absent";

/** SQL on `settlements`: whether this payout round's transfer is under way or was made. */
export const hasLiveTransfer = sql<boolean>`exists (
  select from money_moves t where t.booking_id = settlements.booking_id and t.round = settlements.round
    and t.kind = 'transfer' and t.state in ('intended', 'made'))`;

/** The time to wait for a response before looking up the move. */
export const firstLookMs = 60_000;

/** Whether the last call is too old to still be on its way to the provider. */
export function isAbsent({ last_called_at }: Pick<Move, "last_called_at">, now: Date): boolean {
  return now.getTime() - last_called_at.getTime() >= latestArrivalMs;
}

export function keyOf({ kind, id }: Pick<Move, "kind" | "id">): string {
  return `${kind}:${id}`;
}

/** Returns undefined if the response was lost or the key is in use: the money may have moved. */
export async function askProvider<T extends object>(call: Promise<T>): Promise<T | undefined> {
  const answer = await call.catch((error: unknown) => {
    if (error instanceof AppError && error.code === "PROVIDER_UNAVAILABLE") return undefined;
    throw error;
  });
  const isUnknown = answer && "refused" in answer && answer.refused === "idempotency_key_in_use";
  return isUnknown ? undefined : answer;
}

type NewMove = {
  bookingId: string;
  kind: MoveKind;
  cents: number;
  at: Date;
  /** For a refund, or for money that an admin sent instead. */
  paymentId?: string;
  /** For a transfer: the seller's account and the deal's payout round. */
  accountId?: string;
  round?: number;
  /** For a transfer from the shop's balance instead of the buyer's charge. */
  fromBalance?: boolean;
  /** For a reversal: the `money_moves` id of the transfer that it reverses. */
  transferId?: string;
  state?: MoveState;
  providerId?: string;
  refusal?: string | undefined;
};

/** Returns the number of the booking's next attempt of this kind. Requires a locked booking. */
export async function nextAttempt(
  tx: Tx,
  { bookingId, kind }: { bookingId: string; kind: MoveKind },
): Promise<number> {
  const { attempts } = await tx
    .selectFrom("money_moves")
    .select(({ fn }) => fn.max("attempt").as("attempts"))
    .where("booking_id", "=", bookingId)
    .where("kind", "=", kind)
    .executeTakeFirstOrThrow();
  return Number(attempts) + 1;
}

/** Inserts a move as the next attempt of its kind. Requires a locked booking. */
export async function insertMove(tx: Tx, { bookingId, kind, at, ...move }: NewMove): Promise<Move> {
  const attempt = await nextAttempt(tx, { bookingId, kind });
  return await tx
    .insertInto("money_moves")
    .values({
      id: newId(at),
      booking_id: bookingId,
      kind,
      attempt,
      cents: move.cents,
      state: move.state ?? "intended",
      payment_id: move.paymentId ?? null,
      provider_id: move.providerId ?? null,
      refusal: move.refusal ?? null,
      account_id: move.accountId ?? null,
      round: move.round ?? null,
      from_balance: move.fromBalance ?? false,
      transfer_id: move.transferId ?? null,
      intended_at: at,
      last_called_at: at,
      made_at: move.state === "made" ? at : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Lists moves without a provider id. The provider may have made them anyway. */
export async function listUnconfirmedMoves(
  tx: Tx,
  { bookingId, kind }: { bookingId: string; kind: MoveKind },
): Promise<Move[]> {
  return await tx
    .selectFrom("money_moves")
    .selectAll()
    .where("booking_id", "=", bookingId)
    .where("kind", "=", kind)
    .where("provider_id", "is", null)
    .execute();
}

/** Lists a payment's moves of one kind, oldest first. */
export async function listMoves(
  tx: Tx,
  { paymentId, kind }: { paymentId: string; kind: MoveKind },
): Promise<Move[]> {
  return await tx
    .selectFrom("money_moves")
    .selectAll()
    .where("payment_id", "=", paymentId)
    .where("kind", "=", kind)
    .orderBy("attempt")
    .execute();
}

type Change = {
  state: MoveState;
  at: Date;
  providerId?: string | undefined;
  refusal?: string | undefined;
};

/** Changes a move's state. `refusal`: why a move was refused or failed. */
export async function changeMove(
  tx: Tx,
  id: string,
  { state, at, providerId, refusal }: Change,
): Promise<void> {
  await tx
    .updateTable("money_moves")
    .set({ state, refusal: refusal ?? null })
    .set(providerId === undefined ? {} : { provider_id: providerId })
    .set(state === "made" ? { made_at: at } : {})
    .where("id", "=", id)
    .execute();
}

/** Records a repeated call and returns the move. Undefined if the call may not be repeated now. */
export async function repeatCall(tx: Tx, move: Move, at: Date): Promise<Move | undefined> {
  const { id, intended_at, last_called_at } = move;
  if (at.getTime() - intended_at.getTime() >= latestArrivalMs) return undefined;
  if (at.getTime() - last_called_at.getTime() < firstLookMs) return undefined;
  // Recorded before the call, because `isAbsent` counts from this time.
  await tx.updateTable("money_moves").set({ last_called_at: at }).where("id", "=", id).execute();
  return move;
}
