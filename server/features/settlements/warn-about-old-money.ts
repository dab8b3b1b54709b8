import { sql } from "kysely";
import { formatPrice, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { listAdmins } from "../../email/list-admins.ts";
import { notifyParties } from "../booking-lifecycle/notify-parties.ts";
import { leftoverEmail, oldMoneyEmail } from "./admin-emails.ts";
import { settlementEmails } from "./emails.ts";
import { leftoverKinds, readLeftover } from "./leftover.ts";
import { canBePaid, canReceive } from "./payout-accounts.ts";

const dayMs = 24 * 3_600_000;

/**
 * Tells all admins about money that has been held for long, and until when it has to move: by one email a day at most,
 * about all deals that have become so old since.
 */
export async function alarmAdmins(deps: Deps): Promise<void> {
  const { clock, db } = deps;
  const at = clock.now();
  if ((await oldMoney(deps, db).limit(1).execute()).length === 0) return;
  await transact(db, "alarmAdmins", async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('email about old money', 0))`.execute(
      tx,
    );
    const told = await tx
      .selectFrom("settlements")
      .select("booking_id")
      .where("alarmed_at", ">", new Date(at.getTime() - dayMs))
      .limit(1)
      .executeTakeFirst();
    if (told) return;
    const deals = await oldMoney(deps, tx).forUpdate("settlements").limit(500).execute();
    for (const deal of deals) await markAlarmed(tx, deps, deal);
    await mailAdmins(tx, deps, deals);
  });
}

/**
 * Deals whose money the card provider will soon not keep any longer, and about which no admin was told yet; the oldest
 * first. Not those of which the seller was paid, and gets what came back later: it is less, and newer.
 */
function oldMoney({ clock, config }: Deps, tx: Tx) {
  return tx
    .selectFrom("settlements")
    .innerJoin("bookings", "bookings.id", "settlements.booking_id")
    .select(["settlements.booking_id", "settlements.state", "settlements.paid_at"])
    .select(["settlements.seller_id", "bookings.price_cents", "bookings.intent_id"])
    .where("settlements.state", "not in", ["released", "refunded"])
    .where("settlements.alarmed_at", "is", null)
    .where("settlements.round", "=", 1)
    .where("settlements.paid_at", "<=", new Date(clock.now().getTime() - config.settlement.alarmMs))
    .orderBy("settlements.paid_at")
    .orderBy("settlements.booking_id");
}

type OldDeal = Awaited<ReturnType<ReturnType<typeof oldMoney>["execute"]>>[number];

function moveByOf({ config }: Deps, { paid_at }: OldDeal): Date {
  return new Date(paid_at.getTime() + config.settlement.latestMs);
}

async function markAlarmed(tx: Tx, deps: Deps, deal: OldDeal): Promise<void> {
  const at = deps.clock.now();
  const { booking_id: bookingId, state, seller_id } = deal;
  await tx
    .updateTable("settlements")
    .set({ alarmed_at: at })
    .where("booking_id", "=", bookingId)
    .execute();
  const moveBy = moveByOf(deps, deal);
  const by = { at, actor: null, object: "booking", objectId: bookingId } as const;
  await recordAudit(tx, { ...by, verb: "alarm", detail: { state, moveBy: moveBy.toISOString() } });
  if (state !== "releasing" || (await canBePaid(tx, seller_id))) return;
  const email = await lastCallTo(tx, seller_id);
  await notifyParties(tx, deps, { bookingId, email, until: moveBy });
}

/** Names all that keeps the seller from being paid, since the money goes back if only a part of it is mended. */
async function lastCallTo(tx: Tx, sellerId: string) {
  if (!(await isSuspended(tx, sellerId))) return settlementEmails.lastCallForAccount;
  return (await canReceive(tx, sellerId))
    ? settlementEmails.lastCallWhileSuspended
    : settlementEmails.lastCallWithoutAccount;
}

async function isSuspended(tx: Tx, memberId: string): Promise<boolean> {
  const suspended = await tx
    .selectFrom("members")
    .select("id")
    .where("id", "=", memberId)
    .where("suspended_at", "is not", null)
    .executeTakeFirst();
  return suspended !== undefined;
}

async function mailAdmins(tx: Tx, deps: Deps, deals: OldDeal[]): Promise<void> {
  const { config, emailQueue } = deps;
  const [first] = deals;
  if (!first) return;
  const about = deals.map((deal) => ({
    price: formatPrice(toDollars(deal.price_cents)),
    moveBy: moveByOf(deps, deal),
    transactionId: deal.intent_id ?? "",
  }));
  const url = paymentUrl(config, deals.length === 1 ? first.intent_id : null);
  for (const admin of await listAdmins(tx))
    await emailQueue.add(tx, { kind: "payment", ...oldMoneyEmail(admin, { deals: about, url }) });
}

const leftoverDays = 30;

/**
 * Bookings whose settlement has ended, and whose money came back since, or that money was sent to a seller who has no
 * account for it: an admin has to see to it.
 */
export async function listLeftovers({ db, clock }: Deps): Promise<string[]> {
  const since = new Date(clock.now().getTime() - leftoverDays * 24 * 3_600_000);
  // In any order, so that those which need nobody yet don't keep the rest out.
  const { rows } = await sql<{ booking_id: string }>`
    select booking_id from (
    select s.booking_id
    from ledger_journals j
    join settlements s on s.booking_id = j.booking_id
    where j.kind in (${leftoverKinds})
      and j.at > ${since} and (s.leftover_alarmed_at is null or s.leftover_alarmed_at < j.at)
      and s.state in ('released', 'refunded')
      and (select max(held) from deal_ledger d where d.booking_id = j.booking_id) > 0
      and not exists (select from partial_refunds r where r.booking_id = j.booking_id
        and (r.next_look_at is not null or r.given_up_at is not null))
    union
    -- Those that waited for a part of the buyer's, however long ago the money came back.
    select s.booking_id
    from partial_refunds r
    join settlements s on s.booking_id = r.booking_id
    where r.intended_at > ${since} and r.next_look_at is null and r.given_up_at is null
      and s.leftover_alarmed_at is null and s.state in ('released', 'refunded')
      and (select max(held) from deal_ledger d where d.booking_id = r.booking_id) > 0
    union
    select s.booking_id
    from settlements s
    join payout_accounts a on a.member_id = s.seller_id
    join members m on m.id = s.seller_id
    where s.state = 'releasing' and s.round > 1 and s.since > ${since}
      and (not a.transfers_active or m.suspended_at is not null)
      and s.leftover_alarmed_at is null
    ) as found
    order by random() limit 100`.execute(db);
  return rows.map(({ booking_id }) => booking_id);
}

/** Tells all admins that a deal has money again: once, and again each time that more comes back. */
export async function alarmOfLeftover(deps: Deps, bookingId: string): Promise<void> {
  const { clock, config, emailQueue } = deps;
  const at = clock.now();
  await transact(deps.db, `alarmOfLeftover ${bookingId}`, async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .select("id")
      .where("id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    if (!booking) return;
    // What the deal's page offers to send on.
    const { cents, toBuyerCents: toCardCents, waits } = await readLeftover(tx, bookingId);
    if (cents === 0) return;
    const { numUpdatedRows } = await tx
      .updateTable("settlements")
      .set({ leftover_alarmed_at: at })
      .where("booking_id", "=", bookingId)
      .where(
        sql<boolean>`leftover_alarmed_at is null or exists (
          select from ledger_journals j
          where j.booking_id = settlements.booking_id and j.kind in (${leftoverKinds})
            and j.at > leftover_alarmed_at)`,
      )
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const by = { at, actor: null, object: "booking", objectId: bookingId } as const;
    await recordAudit(tx, { ...by, verb: "alarm", detail: { leftCents: cents } });
    const url = `${config.publicUrl}/dashboard/deal/${bookingId}`;
    const moveBy = await moveLeftoverBy(tx, deps, bookingId);
    const leftover = { cents, toCardCents, url, waits, moveBy };
    for (const admin of await listAdmins(tx))
      await emailQueue.add(tx, { kind: "payment", ...leftoverEmail(admin, leftover) });
  });
}

/** When the shop sends on by itself what admins hear of now. */
async function moveLeftoverBy(
  tx: Tx,
  { clock, config: { settlement } }: Deps,
  bookingId: string,
): Promise<Date> {
  const { paid_at } = await tx
    .selectFrom("settlements")
    .select("paid_at")
    .where("booking_id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const { latestMs, leftoverMs } = settlement;
  return new Date(Math.max(paid_at.getTime() + latestMs, clock.now().getTime() + leftoverMs));
}

function paymentUrl({ publicUrl }: Deps["config"], intentId: string | null): string {
  return `${publicUrl}/dashboard/payments?search=${intentId ?? ""}`;
}
