import { transferGroupOf } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { notifyParties } from "../deals/notify-parties.ts";
import { changeDeal } from "../ledger/post-journal.ts";
import { nextTransfer, refuseTransfer, selectPayable } from "./intend-transfer.ts";
import {
  askProvider,
  changeMove,
  firstLookMs,
  hasLiveTransfer,
  keyOf,
  listUnconfirmedMoves,
  type Move,
} from "./money-moves.ts";
import { settlePayment } from "./settle-payment.ts";
import { closeDeal } from "./settlement.ts";
import { settlementEmails } from "./settlement-emails.ts";

/** Returns the bookings whose transfer has had no answer for a while. */
export async function listTransfersToLookUp({ db, clock }: Deps, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("money_moves")
    .select("booking_id")
    .where("kind", "=", "transfer")
    .where("state", "=", "intended")
    .where("last_called_at", "<=", new Date(clock.now().getTime() - firstLookMs))
    .orderBy("last_called_at")
    .limit(limit)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}

/** Returns the bookings whose sellers can be paid now. */
export async function listPayable({ db, clock }: Deps, limit: number): Promise<string[]> {
  const rows = await selectPayable(db, clock.now())
    .where(({ not }) => not(hasLiveTransfer))
    .orderBy("settlements.decided_at")
    .limit(limit)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}

/** Looks up earlier transfers first: one that seemed lost may have arrived (decisions/money). */
export async function payOutDeal(deps: Deps, bookingId: string): Promise<void> {
  const chargeId = await readCharge(deps, bookingId);
  if (chargeId === undefined) return;
  await lookUpTransfers(deps, bookingId);
  const transfer = await nextTransfer(deps, bookingId);
  if (transfer) await makeTransfer(deps, transfer, chargeId);
}

/** Rereads the payment and records changes, such as a dispute. Returns the charge's id. */
async function readCharge(deps: Deps, bookingId: string): Promise<string | undefined> {
  const booking = await deps.db
    .selectFrom("bookings")
    .select("intent_id")
    .where("id", "=", bookingId)
    .executeTakeFirst();
  if (!booking?.intent_id) return undefined;
  const intent = await deps.cards.findIntent(booking.intent_id);
  await settlePayment(deps, intent, "reconciler");
  return intent.chargeId;
}

/** Records transfers whose responses were lost. A transfer's metadata contains its move's id. */
export async function lookUpTransfers(deps: Deps, bookingId: string): Promise<void> {
  const open = await listUnconfirmedMoves(deps.db, { bookingId, kind: "transfer" });
  if (open.length === 0) return;
  const made = await deps.cards.findTransfers(transferGroupOf(bookingId));
  for (const { id, metadata } of made) {
    const own = open.find((move) => move.id === metadata.moveId);
    if (own) await recordMade(deps, own.id, id);
  }
}

async function makeTransfer(deps: Deps, transfer: Move, sourceCharge: string): Promise<void> {
  const { id, booking_id: bookingId, cents: amountCents, account_id } = transfer;
  const answer = await askProvider(
    deps.cards.createTransfer({
      amountCents,
      currency: deps.shop.currency,
      accountId: account_id ?? "",
      ...(!transfer.from_balance && { sourceCharge }),
      transferGroup: transferGroupOf(bookingId),
      metadata: { moveId: id, bookingId },
      idempotencyKey: keyOf(transfer),
    }),
  );
  if (answer === undefined) return;
  if ("refused" in answer) await recordRefused(deps, id, answer.refused);
  else await recordMade(deps, id, answer.transferId);
}

async function recordMade(deps: Deps, id: string, providerId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `recordMade ${id}`, async (tx) => {
    const transfer = await lockUnmade(tx, id);
    if (!transfer) return;
    const others = await statesOfOthers(tx, transfer);
    // Another attempt is still open and has to end first.
    if (others.includes("intended")) return;
    const isSecond = others.length > 0;
    const { booking_id: bookingId, cents, attempt } = transfer;
    if (isSecond)
      await tx.updateTable("money_moves").set({ round: -attempt }).where("id", "=", id).execute();
    await changeMove(tx, id, { state: "made", providerId, at });
    const { currency } = deps.shop;
    const left = await changeDeal(tx, { bookingId, currency, at }, (journals) => {
      journals.transfer({ id: providerId, cents });
      return journals.held() + journals.due();
    });
    const detail = { attempt, cents, transferId: providerId };
    if (isSecond) {
      const by = { at, actor: null, verb: "transfer twice", object: "booking" } as const;
      return await recordAudit(tx, { ...by, objectId: bookingId, detail });
    }
    await closeDeal(tx, { bookingId, at, verb: "payOut", detail, hasMore: left > 0 });
    const payment = { transactionId: providerId, sellerCents: cents };
    await notifyParties(tx, deps, { bookingId, email: settlementEmails.moneySent, payment });
  });
}

async function recordRefused(deps: Deps, id: string, refusal: string): Promise<void> {
  await transact(deps.db, `recordRefused ${id}`, async (tx) => {
    const transfer = await lockUnmade(tx, id);
    if (transfer?.state === "intended") await refuseTransfer(tx, deps, { transfer, refusal });
  });
}

async function statesOfOthers(tx: Tx, { id, booking_id, round }: Move) {
  const others = await tx
    .selectFrom("money_moves")
    .select("state")
    .where("booking_id", "=", booking_id)
    .where("kind", "=", "transfer")
    .where("round", "=", round)
    .where("id", "<>", id)
    .where("state", "<>", "refused")
    .execute();
  return others.map(({ state }) => state);
}

/** Locks a transfer and its booking (decisions/database). Undefined if the transfer was made. */
async function lockUnmade(tx: Tx, id: string): Promise<Move | undefined> {
  return await tx
    .selectFrom("bookings")
    .innerJoin("money_moves", "money_moves.booking_id", "bookings.id")
    .selectAll("money_moves")
    .where("money_moves.id", "=", id)
    .where("money_moves.state", "in", ["intended", "refused"])
    .forUpdate()
    .executeTakeFirst();
}
