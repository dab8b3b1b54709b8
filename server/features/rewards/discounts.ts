import { sql } from "kysely";
import { minPaymentCents } from "#contract/currencies.ts";
import { type NoDiscount, type PromoRules, ruleCents } from "#contract/invitation-rules.ts";
import { liveBookingStates } from "#contract/life-cycle.ts";
import { roundCents } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { promoOverCents } from "../deals/fee-times-and-promo.ts";

const monthMs = 30 * 24 * 3_600_000;

type Terms = Pick<Deps, "config" | "clock">;

type Cents = { priceCents: number; rules: PromoRules };

/** 0 unless the price is over `discountOver`. `specifiedRules` has specification 9's amounts. */
export function discountCentsOf({ priceCents, rules }: Cents): number {
  if (priceCents <= ruleCents(rules.discountOver)) return 0;
  const cents = roundCents((priceCents * rules.discountPercent) / 100);
  return Math.min(cents, ruleCents(rules.discountCap), priceCents - minPaymentCents());
}

/**
 * Selects an invited friend's discount, which a booking may already use. Finds none while the
 * inviter is suspended.
 */
export function selectOpenDiscount(tx: Tx, friendId: string) {
  return tx
    .selectFrom("invitations")
    .select(["invitations.id", "invitations.inviter_id", "invitations.discount_booking_id"])
    .where("friend_id", "=", friendId)
    .where("invitations.state", "=", "joined")
    .where(({ not }) => not(hasBought))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("members as inviter")
            .whereRef("inviter.id", "=", "invitations.inviter_id")
            .where("inviter.suspended_at", "is not", null),
        ),
      ),
    );
}

/**
 * SQL: whether the invited friend has a purchase above the minimum price that isn't fully refunded.
 */
const hasBought = sql<boolean>`exists (
    select from bookings left join settlements s on s.booking_id = bookings.id
    where bookings.buyer_id = invitations.friend_id and bookings.state in ('paid', 'completed')
      and bookings.price_cents > ${promoOverCents} and settlement_state(s) is distinct from 'refunded')`;

/** Whether an invited member can still use the discount, or uses it for a laptop on hold. */
export async function hasDiscount(tx: Tx, terms: Terms, memberId: string): Promise<boolean> {
  const found = await selectOpenDiscount(tx, memberId)
    .leftJoin("bookings", "bookings.id", "discount_booking_id")
    .where(({ or, eb }) =>
      or([eb("discount_booking_id", "is", null), eb("bookings.state", "=", "held")]),
    )
    .executeTakeFirst();
  if (!found) return false;
  if (found.discount_booking_id !== null) return true;
  return !(await isUsedUp(tx, terms, found.inviter_id)) && !(await isOverBudget(tx, terms));
}

async function isUsedUp(tx: Tx, terms: Terms, inviterId: string): Promise<boolean> {
  const { discounts } = await selectDiscounts(tx, terms)
    .where("inviter_id", "=", inviterId)
    .executeTakeFirstOrThrow();
  return Number(discounts) >= terms.config.invitations.limits.discountsPerInviter;
}

type Between = { inviterId: string; sellerId: string };

/** Returns null if the inviter and the seller are below their limits. Ignores the budget. */
export async function whyNoDiscount(
  tx: Tx,
  terms: Terms,
  { inviterId, sellerId }: Between,
): Promise<NoDiscount | null> {
  if (await isUsedUp(tx, terms, inviterId)) return "inviter";
  const { discounts } = await selectDiscounts(tx, terms)
    .innerJoin("products", "products.id", "product_id")
    .where("seller_id", "=", sellerId)
    .executeTakeFirstOrThrow();
  return Number(discounts) >= terms.config.invitations.limits.discountsPerSeller ? "seller" : null;
}

/** Counts discounts of the last 30 days, except those returned to the invitation. */
function selectDiscounts(tx: Tx, { clock }: Terms) {
  const since = new Date(clock.now().getTime() - monthMs);
  return tx
    .selectFrom("invitations")
    .innerJoin("bookings", "bookings.id", "discount_booking_id")
    .select(({ fn }) => fn.countAll<string>().as("discounts"))
    .where(({ fn, ref }) => fn.coalesce("amount_fixed_at", ref("booked_at")), ">", since);
}

/** Returns the cents of credit left under the seller's 30-day limit. Only live bookings count. */
export async function creditLeftAt(
  tx: Tx,
  { clock, config }: Terms,
  sellerId: string,
): Promise<number> {
  const { spent } = await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "product_id")
    .select(({ fn }) => fn.sum<string | null>("credit_cents").as("spent"))
    .where("seller_id", "=", sellerId)
    .where("amount_fixed_at", ">", new Date(clock.now().getTime() - monthMs))
    .where("state", "in", liveBookingStates)
    .executeTakeFirstOrThrow();
  const limit = ruleCents(config.invitations.limits.creditPerSeller);
  return Math.max(0, limit - Number(spent));
}

/** Serializes changes to these members' credit, and purchases that count toward their limits. */
export async function lockDiscounts(tx: Tx, memberIds: readonly string[]): Promise<void> {
  const sorted = [...new Set(memberIds)].sort();
  await tx
    .insertInto("credit_accounts")
    .values(sorted.map((member_id) => ({ member_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .selectFrom("credit_accounts")
    .select("member_id")
    .where("member_id", "in", sorted)
    .orderBy("member_id")
    .forUpdate()
    .execute();
}

/**
 * Whether giving `cents` would exceed the 30-day budget. Expired credit still counts as given. A
 * returned discount frees budget only if it was given within the last 30 days.
 */
export async function isOverBudget(tx: Tx, terms: Terms, cents = 1): Promise<boolean> {
  const { monthlyBudget } = terms.config.invitations.limits;
  const since = new Date(terms.clock.now().getTime() - monthMs);
  const { rows } = await sql<{ given: string }>`
    select coalesce(sum(cents), 0) as given
    from ledger_journals join ledger_entries on journal_id = ledger_journals.id
    where kind in ('credit_earned', 'discount', 'discount_returned') and at > ${since}
      and account = 'marketing'
      and (kind <> 'discount_returned' or exists (
        select from bookings where bookings.id = ledger_journals.booking_id and amount_fixed_at > ${since}))`.execute(
    tx,
  );
  return Number(rows[0]?.given) + cents > ruleCents(monthlyBudget);
}

/** Serializes giving from the budget. `lockDiscounts` must come first, to avoid deadlocks. */
export async function lockBudget(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('budget of invitations', 0))`.execute(tx);
}
