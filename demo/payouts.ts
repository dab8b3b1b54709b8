import type { Member } from "../server/db/member.ts";
import type { Deps } from "../server/deps.ts";
import { complaintUntil } from "../server/features/complaints/complaint-times.ts";
import { payOutDeal } from "../server/features/money/pay-out-deal.ts";
import { connectAccount, refreshAccount } from "../server/features/money/payout-accounts.ts";
import { readSellerAccount } from "../server/features/money/record-payouts.ts";
import { meetDeadline } from "../server/features/money/settlement-deadlines.ts";
import { sandboxKeys } from "../server/settings/production-checks.ts";
import { depsAt } from "./backdate.ts";
import { paidSellers } from "./list-past-sales.ts";

export async function payOutPastSales(deps: Deps, members: Record<string, Member>): Promise<void> {
  await Promise.all(
    paidSellers.map(async (key) => {
      const seller = members[key];
      if (!seller) throw new Error(`There is no demo member ${key}.`);
      await connectBank(deps, seller);
      for (const sale of await listWaitingSales(deps, seller)) {
        const then = depsAt(deps, complaintUntil(sale.handed_over_at, sale));
        await meetDeadline(then, sale.booking_id);
        await payOutDeal(then, sale.booking_id);
      }
      await sendToBank(deps, seller);
    }),
  );
}

async function connectBank(deps: Deps, seller: Member): Promise<void> {
  const link = await connectAccount(deps, seller);
  const opened = await fetch(link, { redirect: "manual" });
  const [given_name = "", surname = ""] = seller.name.split(" ");
  const answer = await fetch(new URL(opened.headers.get("location") ?? "", link), {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({
      given_name,
      surname,
      routing_number: "110000000",
      account_number: "000123456789",
      terms: "yes",
      action: "finish",
    }),
  });
  if (answer.status !== 303) throw new Error(`The sandbox refused the bank of ${seller.email}.`);
  await refreshAccount(deps, seller.id);
}

async function listWaitingSales({ db, clock }: Deps, { id }: Member) {
  const sales = await db
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "booking_id")
    .select(["booking_id", "handed_over_at", "complaint_minutes"])
    .where("seller_id", "=", id)
    .where("decided_at", "is", null)
    .where("handed_over_at", "is not", null)
    .orderBy("handed_over_at")
    .$narrowType<{ handed_over_at: Date }>()
    .execute();
  return sales.filter((sale) => complaintUntil(sale.handed_over_at, sale) <= clock.now());
}

/** Pays out a seller's balance now, instead of with the card provider's daily payout. */
async function sendToBank(deps: Deps, { id }: Member): Promise<void> {
  const { account_id: account } = await deps.db
    .selectFrom("payout_accounts")
    .select("account_id")
    .where("member_id", "=", id)
    .executeTakeFirstOrThrow();
  const headers = {
    authorization: `Bearer ${sandboxKeys.secretKey}`,
    "stripe-account": account,
    "idempotency-key": `demo:${account}`,
  };
  const at = (path: string) => new URL(path, deps.cards.browser.scriptUrl ?? undefined);
  const balance = await (await fetch(at("/v1/balance"), { headers })).json();
  const [available] = (balance as { available: { amount: number; currency: string }[] }).available;
  if (!available || available.amount === 0) return;
  const { amount, currency } = available;
  const body = new URLSearchParams({ amount: String(amount), currency });
  const answer = await fetch(at("/v1/payouts"), { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`The sandbox refused a payout: ${await answer.text()}`);
  await readSellerAccount(deps, account);
}
