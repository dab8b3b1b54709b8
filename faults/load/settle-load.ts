import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import type pg from "pg";
import type { DB } from "#server/db/schema.ts";
import { settlementState } from "#server/features/money/settlement.ts";
import type { CardProvider } from "#server/testing/cards.ts";
import { type Answer, type RequestContext, requestWithRetries } from "./retrying-client.ts";

export type PaidDeal = { booking: string; intent: string };

type Sides = Record<"buyer" | "seller" | "admin", RequestContext>;
type SettleContext = Sides & { db: Kysely<DB>; desk: CardProvider };

export async function connectSeller({ seller, desk }: SettleContext): Promise<void> {
  const { body } = await requestWithRetries(seller, "POST /payouts/account");
  await desk.onboard(String(body.url));
  await requestWithRetries(seller, "PUT /payouts/account");
}

export async function handOverByCode(
  { buyer, seller }: SettleContext,
  id: string,
): Promise<Answer> {
  const { body } = await requestWithRetries(buyer, "POST /bookingProducts/handoverCode", { id });
  return await requestWithRetries(seller, "PUT /bookingProducts/handoverCode", {
    id,
    code: body.code,
  });
}

/**
 * Settles a deal. `random` selects a payout, a partial or full refund by complaint, or a partial
 * refund after the payout.
 */
export async function settle(
  context: SettleContext,
  { booking, intent }: PaidDeal,
  random: number,
): Promise<Answer[]> {
  const { buyer, seller, admin, db, desk } = context;
  const way = (["release", "part", "whole", "debt"] as const)[random % 4];
  if (way === "release" || way === "debt") {
    await letTimePass(db, booking);
    if (way === "debt" && (await isReleased(db, booking))) await desk.refund(intent, 10_000);
    return [];
  }
  const complaint = { bookingId: booking, reason: "not_working", words: "Dead keys." };
  const filed = await requestWithRetries(buyer, "POST /complaints", complaint);
  const path = `/complaints/${booking}`;
  const closed =
    way === "whole"
      ? requestWithRetries(seller, `PUT ${path}/answer`, { answer: "refund", words: "Sorry." })
      : requestWithRetries(admin, `PUT ${path}/decision`, { refund: 100, words: "A part." });
  return [filed, await closed];
}

/** Backdates the handover past the complaint deadline. Retries for five minutes on failure. */
async function letTimePass(db: Kysely<DB>, booking: string): Promise<void> {
  const long = { handed_over_at: new Date(0) };
  for (const until = Date.now() + 300_000; ; await wait(500)) {
    const update = db.updateTable("settlements").set(long).where("booking_id", "=", booking);
    const error = await update.execute().then(
      () => undefined,
      (failure: Error) => failure,
    );
    if (!error) return;
    if (Date.now() > until) throw error;
  }
}

/** Whether the sale is paid out within five seconds. After a kill, a payout may take longer. */
async function isReleased(db: Kysely<DB>, booking: string): Promise<boolean> {
  for (const until = Date.now() + 5_000; Date.now() < until; await wait(50)) {
    const found = await db
      .selectFrom("settlements")
      .select(settlementState.as("state"))
      .where("booking_id", "=", booking)
      .executeTakeFirst()
      .catch(() => undefined);
    if (found?.state === "released") return true;
  }
  return false;
}

/** Queues the settlement and reward jobs, and makes them look up lost responses immediately. */
export async function hurrySettlements(pool: pg.Pool): Promise<void> {
  // Skips rows that the shop has locked. Waiting for them could end in a deadlock.
  await pool.query(`
    update money_moves set last_called_at = last_called_at - interval '1 minute' where id in (
      select id from money_moves where state = 'intended' for update skip locked)`);
  await pool.query(`
    update settlements set reversal_at = null where booking_id in (
      select booking_id from settlements where booking_id in (
        select booking_id from money_moves where kind = 'reversal' and state = 'intended')
      for update skip locked)`);
  await pool.query(`
    insert into job_outbox (task, payload) select task, '{}' from unnest(array['settleDeals', 'rewardInvitations']) as task
    where not exists (select from job_outbox where job_outbox.task = 'settleDeals')`);
}

/** Slows reversals, causes one, and waits up to a minute for it. Returns whether one started. */
export async function untilReversal(pool: pg.Pool, desk: CardProvider): Promise<boolean> {
  await desk.injectFaults({ delayMs: 300, delayPath: "/v1/transfers/:id/reversals" });
  let isOwed = false;
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    await hurrySettlements(pool);
    if (!isOwed) isOwed = await oweOne(pool, desk);
    for (let look = 0; look < 30; look += 1, await wait(10))
      if ((await pool.query(openReversals)).rowCount !== 0) return true;
  }
  return false;
}

const openReversals =
  "select from money_moves where kind = 'reversal' and state = 'intended' limit 1";

async function oweOne(pool: pg.Pool, desk: CardProvider): Promise<boolean> {
  const { rows } = await pool.query<{ intent_id: string }>(`
    select intent_id from bookings join settlements on booking_id = id
    where closed_at is not null and payout_held_at is null and exists (
      select from money_moves t where t.booking_id = bookings.id and t.kind = 'transfer' and t.state = 'made')
      and not exists (select from money_moves r where r.booking_id = bookings.id and r.kind = 'reversal')
    order by closed_at desc limit 1`);
  if (rows[0]) await desk.refund(rows[0].intent_id, 10_000);
  return rows[0] !== undefined;
}

export async function countReversals(pool: pg.Pool): Promise<number> {
  const made = "select from money_moves where kind = 'reversal' and state = 'made'";
  return (await pool.query(made)).rowCount ?? 0;
}

export async function countSettlements(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ counts: string }>(`
    select format('%s transfers, %s refunds and %s reversals made; %s handovers by code',
      (select count(*) from money_moves where kind = 'transfer' and state = 'made'),
      (select count(*) from money_moves where kind = 'refund' and state = 'made'),
      (select count(*) from money_moves where kind = 'reversal' and state = 'made'),
      (select count(*) from audit_log where verb = 'complete' and actor_id in (
        select id from members where account_type = 'seller')))
      || format('; credit spent %s times and returned %s times, %s rewards',
        count(*) filter (where kind = 'credit_spent'), count(*) filter (where kind = 'credit_returned'),
        count(*) filter (where kind = 'credit_earned' and idempotency_key not like '%load:%')) as counts
    from ledger_journals`);
  return rows[0]?.counts ?? "";
}
