import { confirmHandover } from "#contract/handover.ts";
import { readLedger } from "#contract/ledger.ts";
import { readSellerOverview } from "#contract/overview.ts";
import { connectPayoutAccount, refreshPayoutAccount } from "#contract/payouts.ts";
import { meetComplaintDeadlines } from "../features/complaints/complaint-deadlines.ts";
import { settleDeals } from "../features/money/settle-deals.ts";
import { settlementState } from "../features/money/settlement.ts";
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

/** Advances the clock by each number of minutes in turn, and runs the due jobs each time. */
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

/** Attempts, oldest first. */
export async function movesOf(
  { deps }: Shop,
  { booking }: Pick<Deal, "booking">,
  kind: "transfer" | "refund",
) {
  return await deps.db
    .selectFrom("money_moves")
    .selectAll()
    .where("booking_id", "=", booking)
    .where("kind", "=", kind)
    .orderBy("attempt")
    .execute();
}

/** In cents, without zeros. */
export async function moneyOf({ pool }: Shop, { booking }: Pick<Deal, "booking">) {
  const { rows } = await pool.query<Record<string, string>>(
    "select * from deal_ledger where booking_id = $1",
    [booking],
  );
  const { held, transferred, fee, refunded, lost, owed, contributed } = rows[0] ?? {};
  const cents = { held, transferred, fee, refunded, lost, owed, contributed };
  return Object.fromEntries(
    Object.entries(cents).flatMap(([name, value]) =>
      Number(value) === 0 ? [] : [[name, Number(value)]],
    ),
  );
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
