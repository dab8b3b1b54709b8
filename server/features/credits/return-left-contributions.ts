import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { reduceEarned } from "../ledger/reduce-earned.ts";
import { returnContribution } from "./return-contribution.ts";

const batchSize = 200;

/**
 * Bookings with discount or credit that have ended, each once. Nodes of a version without them, which may run for a
 * while beside this one, end a hold or refund a sale and give neither back.
 */
export async function listUncheckedContributions(db: Tx): Promise<string[]> {
  const rows = await db
    .selectFrom("bookings")
    .leftJoin("settlements", "settlements.booking_id", "bookings.id")
    .select("bookings.id")
    .where("amount_fixed_at", "is not", null)
    .where("contribution_checked_at", "is", null)
    .where(({ or, eb }) =>
      or([
        eb("bookings.state", "in", ["expired", "cancelled", "refunded"]),
        eb("settlements.state", "in", ["released", "refunded"]),
      ]),
    )
    .orderBy("amount_fixed_at")
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}

/** Gives back what an ended deal still has of discount and credit; nothing if its seller was paid with it. */
export async function returnLeftContribution(deps: Deps, bookingId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `returnLeftContribution ${bookingId}`, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("bookings")
      .set({ contribution_checked_at: at })
      .where("id", "=", bookingId)
      .where("contribution_checked_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || !(await wentBack(tx, bookingId))) return;
    const { cents } = await returnContribution(tx, { bookingId, at });
    await reduceEarned(tx, bookingId, cents);
  });
}

/** Whether the buyer got all of it back. Of a deal that went back in part, what is left is the seller's. */
async function wentBack(tx: Tx, bookingId: string): Promise<boolean> {
  const found = await tx
    .selectFrom("bookings")
    .leftJoin("settlements", "settlements.booking_id", "bookings.id")
    .select("bookings.id")
    .where("bookings.id", "=", bookingId)
    .where(({ or, and, eb, not, exists, selectFrom }) =>
      or([
        eb("bookings.state", "in", ["expired", "cancelled", "refunded"]),
        and([
          eb("settlements.state", "=", "refunded"),
          not(
            exists(
              selectFrom("partial_refunds")
                .select("id")
                .whereRef("booking_id", "=", "bookings.id")
                .where("partial_refunds.state", "=", "made"),
            ),
          ),
        ]),
      ]),
    )
    .executeTakeFirst();
  return found !== undefined;
}
