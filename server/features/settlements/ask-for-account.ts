import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { notifyParties } from "../booking-lifecycle/notify-parties.ts";
import { readDeal } from "../ledger/post-journal.ts";
import { settlementEmails } from "./emails.ts";
import { canReceive } from "./payout-accounts.ts";

/** Asks the seller of a deal whose money waits where to send their part of it, unless they have an account. */
export async function askForAccount(tx: Tx, deps: Deps, bookingId: string): Promise<void> {
  const waiting = await tx
    .selectFrom("settlements")
    .select("seller_id")
    .where("booking_id", "=", bookingId)
    .where("settlements.releasing", "=", true)
    .executeTakeFirst();
  if (!waiting || (await canReceive(tx, waiting.seller_id))) return;
  const cents = (await readDeal(tx, { bookingId })).due();
  const payment = { transactionId: "", sellerCents: cents };
  if (cents > 0)
    await notifyParties(tx, deps, { bookingId, email: settlementEmails.accountNeeded, payment });
}
