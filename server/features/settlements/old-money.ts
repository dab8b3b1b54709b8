import { formatPrice, toDollars } from "#contract/price.ts";
import { transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { oldMoneyEmail } from "../email/payout-emails.ts";

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
      .select("bookings.intent_id")
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
    const admins = await tx
      .selectFrom("members")
      .select(["name", "email"])
      .where("is_admin", "=", true)
      .where("deleted_at", "is", null)
      .execute();
    const price = formatPrice(toDollars(settlement.price_cents));
    const url = `${config.publicUrl}/dashboard/payments?search=${settlement.intent_id ?? ""}`;
    for (const admin of admins)
      await emailQueue.add(tx, {
        kind: "payment",
        ...oldMoneyEmail(admin, { price, moveBy, url }),
      });
  });
}
