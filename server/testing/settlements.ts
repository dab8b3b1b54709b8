import { findBookingToPay } from "#contract/bookings.ts";
import { confirmHandover } from "#contract/handover.ts";
import { readLedger } from "#contract/ledger.ts";
import { readSellerOverview } from "#contract/overview.ts";
import { connectPayoutAccount, refreshPayoutAccount } from "#contract/payouts.ts";
import { transact } from "../db/database.ts";
import { meetComplaintDeadlines } from "../features/complaints/complaint-deadlines.ts";
import { changeDeal } from "../features/ledger/post-journal.ts";
import { settleDeals } from "../features/money/settle-deals.ts";
import { closeDeal, settlementState } from "../features/money/settlement.ts";
import { decide } from "../features/money/split-money.ts";
import type { CardProvider } from "./cards.ts";
import type { Deal } from "./marketplace.ts";
import type { Person } from "./people.ts";
import type { Shop } from "./shop.ts";

export const hour = 60;
export const day = 24 * hour;

export async function settlementOf({ deps }: Shop, { booking }: Pick<Deal, "booking">) {
  return await deps.db
    .selectFrom("settlements")
    .selectAll()
    .select(settlementState.as("state"))
    .where("booking_id", "=", booking)
    .executeTakeFirstOrThrow();
}

/** Advances the clock by each number of minutes. After each, runs the deadline and money jobs. */
export async function wait(shop: Shop, ...times: number[]): Promise<void> {
  for (const minutes of times) {
    shop.clock.advance(minutes);
    await meetComplaintDeadlines(shop.deps);
    await settleDeals(shop.deps);
  }
}

export async function handOver({ booking, buyer }: Pick<Deal<Person>, "booking" | "buyer">) {
  await buyer.call(confirmHandover, { body: { id: booking } });
}

export async function connectBank(
  cards: CardProvider,
  seller: Person,
  answer: Parameters<CardProvider["onboard"]>[1] = {},
): Promise<void> {
  const { url } = await seller.call(connectPayoutAccount, {});
  await cards.onboard(url, answer);
  await seller.call(refreshPayoutAccount, {});
}

export async function accountOf({ deps }: Shop, { id }: Person): Promise<string> {
  const { account_id } = await deps.db
    .selectFrom("payout_accounts")
    .select("account_id")
    .where("member_id", "=", id)
    .executeTakeFirstOrThrow();
  return account_id;
}

/** In dollars. */
export async function balanceOf(admin: Person, account: string): Promise<number | undefined> {
  const { balances } = await admin.call(readLedger, {});
  return balances.find((one) => one.account === account)?.balance;
}

/** In dollars. */
export async function earnedBy(seller: Person): Promise<number> {
  return (await seller.call(readSellerOverview, {})).earned;
}

export async function readOrder({ booking, buyer }: Deal) {
  return await buyer.call(findBookingToPay, { params: { id: booking } });
}

export async function paymentsFor(shop: Shop, { booking }: Deal) {
  return await shop.deps.db
    .selectFrom("payments")
    .selectAll()
    .where("booking_id", "=", booking)
    .execute();
}

/** Ends the hold, but keeps the payment intent, which may already be paid. */
export async function endHoldWithoutProvider(
  { deps: { db } }: Shop,
  { booking, product }: Deal,
  state: "expired" | "cancelled",
): Promise<void> {
  await db.updateTable("bookings").set({ state }).where("id", "=", booking).execute();
  await db
    .updateTable("products")
    .set({ sales_status: "available" })
    .where("id", "=", product)
    .execute();
}

/** Releases the seller's money, and records a transfer as if the provider had made it. */
export async function payOutWithoutProvider(
  { deps }: Shop,
  { booking: bookingId }: Pick<Deal, "booking">,
): Promise<void> {
  const { shop, clock } = deps;
  await transact(deps.db, "payOutWithoutProvider", async (tx) => {
    await decide(tx, deps, { bookingId, toBuyer: 0, actor: null });
    const at = clock.now();
    await changeDeal(tx, { bookingId, currency: shop.currency, at }, (journals) =>
      journals.transfer({ id: `tr_${bookingId}`, cents: journals.due() }),
    );
    await closeDeal(tx, { bookingId, at, verb: "payOut" });
  });
}
