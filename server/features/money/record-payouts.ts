import { sql } from "kysely";
import { type PayoutState, payoutTransitions } from "#contract/life-cycle.ts";
import { formatPrice, toDollars } from "#contract/price.ts";
import type { Payout } from "../../adapters/cards/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo } from "../../email/email.ts";
import { readAccount } from "./payout-accounts.ts";
import { payoutFailedEmail } from "./settlement-emails.ts";

export async function readSellerAccount(deps: Deps, accountId: string): Promise<void> {
  await readAccount(deps, accountId);
  const owner = await deps.db
    .selectFrom("payout_accounts")
    .select("member_id")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!owner) return;
  // The newest payouts are enough, because old ones no longer change.
  const payouts = await deps.cards.listPayouts(accountId);
  for (const payout of payouts.toReversed()) await recordPayout(deps, owner.member_id, payout);
}

async function recordPayout(deps: Deps, memberId: string, payout: Payout): Promise<void> {
  await transact(deps.db, `recordPayout ${payout.id}`, async (tx) => {
    const before = await tx
      .selectFrom("payouts")
      .select(["state", "arrives_at"])
      .where("id", "=", payout.id)
      .forUpdate()
      .executeTakeFirst();
    const isNew = before?.state !== payout.state;
    const isLater = before?.arrives_at.getTime() !== payout.arrivesAt.getTime();
    if (!isNew && !isLater) return;
    // This report is older than the recorded state.
    if (before && isNew && !mayFollow(before.state, payout.state)) return;
    await storePayout(tx, memberId, payout);
    if (!isNew) return;
    const by = { at: deps.clock.now(), actor: null, object: "member", objectId: memberId } as const;
    const detail = { payoutId: payout.id, cents: payout.amountCents, state: payout.state };
    await recordAudit(tx, { ...by, verb: "payout", detail });
    if (payout.state === "failed") await mailFailure(tx, deps, { memberId, payout });
  });
}

function mayFollow(before: PayoutState, after: PayoutState): boolean {
  return Object.values(payoutTransitions).some(
    ({ from, to }) => to === after && from.some((state) => state === before),
  );
}

async function storePayout(tx: Tx, memberId: string, payout: Payout): Promise<void> {
  const { id, state, amountCents: cents, createdAt, arrivesAt } = payout;
  const failure = state === "failed" ? (payout.failureCode ?? "unknown") : null;
  const now = { state, arrives_at: arrivesAt, failure };
  await tx
    .insertInto("payouts")
    .values({ id, member_id: memberId, cents, created_at: createdAt, ...now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(now))
    .execute();
}

/** Emails the seller. The money stays at the provider until the bank account is changed. */
async function mailFailure(
  tx: Tx,
  { config, emailQueue }: Deps,
  { memberId, payout }: { memberId: string; payout: Payout },
): Promise<void> {
  const member = await tx
    .selectFrom("members")
    .select(["name", "email"])
    .where("id", "=", memberId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!member) return;
  const price = formatPrice(toDollars(payout.amountCents));
  const url = `${config.publicUrl}/dashboard/payouts`;
  const email = payoutFailedEmail({ price, url });
  await emailQueue.add(tx, { kind: "payment", ...addressedTo(member), ...email });
}

const hour = 3_600_000;
const accountsAtOnce = 50;

/** Lists accounts with money under way, unless read within an hour, because events may be lost. */
export async function listStaleAccounts({ db, clock }: Deps): Promise<string[]> {
  const now = clock.now().getTime();
  const { rows } = await sql<{ account_id: string }>`
    select account_id from payout_accounts account
    where (read_at is null or read_at <= ${new Date(now - hour)})
      and (
        exists (select from settlements s where s.seller_id = account.member_id and s.releasing)
        or exists (
          select from payouts p
          where p.member_id = account.member_id and p.state in ('pending', 'in_transit'))
        or exists (
          select from money_moves m
          where m.account_id = account.account_id and m.made_at > ${new Date(now - 14 * 24 * hour)}))
    order by read_at nulls first
    limit ${accountsAtOnce}`.execute(db);
  return rows.map(({ account_id }) => account_id);
}
