import { sql } from "kysely";
import { formatPrice, toDollars } from "#contract/price.ts";
import { transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { listAdmins } from "../email/list-admins.ts";
import { notifyParties } from "../email/notify.ts";
import { leftoverEmail, oldMoneyEmail } from "../email/payout-emails.ts";
import { dealJournals } from "../ledger/deal-journals.ts";
import { postedJournals } from "../ledger/post-journal.ts";
import { canReceive } from "./payout-accounts.ts";

/** Bookings whose money the card provider will soon not keep any longer, and about which no admin was told yet. */
export async function listOldMoney({ db, clock, config }: Deps): Promise<string[]> {
  const rows = await db
    .selectFrom("settlements")
    .select("booking_id")
    .where("state", "not in", ["released", "refunded"])
    .where("alarmed_at", "is", null)
    .where("paid_at", "<=", new Date(clock.now().getTime() - config.settlement.alarmMs))
    .orderBy("paid_at")
    .limit(100)
    .execute();
  return rows.map(({ booking_id }) => booking_id);
}

/** Tells all admins about money that has been held for long, and until when it has to move. */
export async function alarmAdmins(deps: Deps, bookingId: string): Promise<void> {
  const { clock, config, emailQueue } = deps;
  const at = clock.now();
  await transact(deps.db, `alarmAdmins ${bookingId}`, async (tx) => {
    const settlement = await tx
      .selectFrom("settlements")
      .innerJoin("bookings", "bookings.id", "settlements.booking_id")
      .select(["settlements.state", "settlements.paid_at", "bookings.price_cents"])
      .select(["bookings.intent_id", "settlements.seller_id"])
      .where("settlements.booking_id", "=", bookingId)
      .where("settlements.alarmed_at", "is", null)
      .forUpdate("settlements")
      .executeTakeFirst();
    if (!settlement) return;
    await tx
      .updateTable("settlements")
      .set({ alarmed_at: at })
      .where("booking_id", "=", bookingId)
      .execute();
    const moveBy = new Date(settlement.paid_at.getTime() + config.settlement.latestMs);
    const by = { at, actor: null, object: "booking", objectId: bookingId } as const;
    const detail = { state: settlement.state, moveBy: moveBy.toISOString() };
    await recordAudit(tx, { ...by, verb: "alarm", detail });
    if (settlement.state === "releasing" && !(await canReceive(tx, settlement.seller_id)))
      await notifyParties(tx, deps, { bookingId, event: "lastCallForAccount", until: moveBy });
    const price = formatPrice(toDollars(settlement.price_cents));
    const url = paymentUrl(config, settlement.intent_id);
    for (const admin of await listAdmins(tx))
      await emailQueue.add(tx, {
        kind: "payment",
        ...oldMoneyEmail(admin, { price, moveBy, url }),
      });
  });
}

const leftoverDays = 30;

/** Bookings whose settlement has ended, and whose money came back since: it is nobody's until an admin sends it. */
export async function listLeftovers({ db, clock }: Deps): Promise<string[]> {
  const since = new Date(clock.now().getTime() - leftoverDays * 24 * 3_600_000);
  const { rows } = await sql<{ booking_id: string }>`
    select distinct s.booking_id
    from ledger_journals j
    join settlements s on s.booking_id = j.booking_id
    where j.kind in ('refund_failed', 'dispute_reversed', 'dispute_reinstated', 'transfer_reversal')
      and j.at > ${since} and s.leftover_alarmed_at is null
      and s.state in ('released', 'refunded')
      and (select max(held) from deal_ledger d where d.booking_id = j.booking_id) > 0
      and not exists (select from partial_refunds r where r.booking_id = j.booking_id
        and (r.next_look_at is not null or r.given_up_at is not null))
    limit 100`.execute(db);
  return rows.map(({ booking_id }) => booking_id);
}

/** Tells all admins, once for each deal, that it has money again. */
export async function alarmOfLeftover(deps: Deps, bookingId: string): Promise<void> {
  const { clock, config, emailQueue } = deps;
  const at = clock.now();
  await transact(deps.db, `alarmOfLeftover ${bookingId}`, async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .select("intent_id")
      .where("id", "=", bookingId)
      .forUpdate()
      .executeTakeFirst();
    const cents = dealJournals(await postedJournals(tx, bookingId)).held();
    if (!booking || cents <= 0) return;
    const { numUpdatedRows } = await tx
      .updateTable("settlements")
      .set({ leftover_alarmed_at: at })
      .where("booking_id", "=", bookingId)
      .where("leftover_alarmed_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const by = { at, actor: null, object: "booking", objectId: bookingId } as const;
    await recordAudit(tx, { ...by, verb: "alarm", detail: { leftCents: cents } });
    const price = formatPrice(toDollars(cents));
    const url = paymentUrl(config, booking.intent_id);
    for (const admin of await listAdmins(tx))
      await emailQueue.add(tx, { kind: "payment", ...leftoverEmail(admin, { price, url }) });
  });
}

function paymentUrl({ publicUrl }: Deps["config"], intentId: string | null): string {
  return `${publicUrl}/dashboard/payments?search=${intentId ?? ""}`;
}
