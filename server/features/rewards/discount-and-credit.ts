import { sql } from "kysely";
import { minPaymentCents } from "#contract/currencies.ts";
import type { NoDiscount, PromoRules } from "#contract/invitation-rules.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { DealJournals } from "../ledger/deal-journals.ts";
import { changeDeal, postJournals } from "../ledger/post-journal.ts";
import {
  creditLeftAt,
  discountCentsOf,
  isOverBudget,
  lockBudget,
  lockDiscounts,
  selectOpenDiscount,
  whyNoDiscount,
} from "./discounts.ts";
import { sharesTrace } from "./member-traces.ts";

/** The parts of a price not paid by card. `noDiscount`: why an invited friend gets no discount. */
type Reduction = {
  discountCents: number;
  creditCents: number;
  noDiscount: NoDiscount | null;
  /** Whether the seller's 30-day limit reduces the credit used. */
  creditLimited: boolean;
};

type Purchase = {
  id: string;
  buyer_id: string;
  seller_id: string;
  price_cents: number;
  promo: PromoRules;
};

export const dueCents = sql<number>`(bookings.price_cents - bookings.discount_cents - bookings.credit_cents)`;

export async function readReduction(
  tx: Tx,
  terms: Pick<Deps, "config" | "clock">,
  purchase: Purchase,
): Promise<Reduction> {
  const invitation = await selectDiscount(tx, purchase).executeTakeFirst();
  const account = await selectCredit(tx, purchase).executeTakeFirst();
  return await reductionOf(tx, terms, { purchase, invitation, account });
}

/** Fixes the discount and credit of a booking. The caller must have locked the booking. */
export async function fixAmountDue(
  tx: Tx,
  { config, shop, clock }: Deps,
  purchase: Purchase,
): Promise<Reduction> {
  const at = clock.now();
  const { id, buyer_id: memberId, seller_id: sellerId } = purchase;
  const invitation = await selectDiscount(tx, purchase).forUpdate().executeTakeFirst();
  const hasCredit = (await selectCredit(tx, purchase).executeTakeFirst()) !== undefined;
  if (invitation) await lockDiscounts(tx, [invitation.inviter_id, sellerId, memberId]);
  else if (hasCredit) await lockDiscounts(tx, [sellerId, memberId]);
  const account = await selectCredit(tx, purchase).executeTakeFirst();
  if (invitation) await lockBudget(tx);
  const found = { purchase, invitation, account };
  const reduction = await reductionOf(tx, { config, clock }, found);
  const { discountCents, creditCents } = reduction;
  if (discountCents + creditCents === 0) return reduction;
  await tx
    .updateTable("bookings")
    .set({ discount_cents: discountCents, credit_cents: creditCents, amount_fixed_at: at })
    .where("id", "=", id)
    .execute();
  if (invitation && discountCents > 0)
    await tx
      .updateTable("invitations")
      .set({ discount_booking_id: id })
      .where("id", "=", invitation.id)
      .execute();
  const journals = new DealJournals([]);
  journals.contribute(id, { discountCents, creditCents, memberId });
  const deal = { bookingId: id, currency: shop.currency, at };
  await postJournals(tx, deal, journals.added());
  return reduction;
}

type Available = {
  purchase: Purchase;
  invitation: { inviter_id: string } | undefined;
  account: { balance_cents: number } | undefined;
};

async function reductionOf(
  tx: Tx,
  terms: Pick<Deps, "config" | "clock">,
  { purchase, invitation, account }: Available,
): Promise<Reduction> {
  const { price_cents: priceCents, seller_id: sellerId, promo: rules } = purchase;
  const offered = invitation ? Math.max(0, discountCentsOf({ priceCents, rules })) : 0;
  const limited =
    invitation && offered > 0
      ? await whyNoDiscount(tx, terms, { inviterId: invitation.inviter_id, sellerId })
      : null;
  const isTooMuch = limited === null && offered > 0 && (await isOverBudget(tx, terms, offered));
  const noDiscount = isTooMuch ? "budget" : limited;
  const discountCents = noDiscount === null ? offered : 0;
  const maxCents = Math.max(0, priceCents - discountCents - minPaymentCents());
  const wantedCents = Math.min(account?.balance_cents ?? 0, maxCents);
  const left = wantedCents > 0 ? await creditLeftAt(tx, terms, sellerId) : 0;
  const creditCents = Math.min(wantedCents, left);
  return { discountCents, noDiscount, creditCents, creditLimited: creditCents < wantedCents };
}

/** Excludes the inviter's laptops, because the shop would only pay the inviter and the friend. */
function selectDiscount(tx: Tx, { buyer_id, seller_id }: Purchase) {
  return selectOpenDiscount(tx, buyer_id)
    .where("discount_booking_id", "is", null)
    .where("inviter_id", "<>", seller_id);
}

/**
 * Selects the buyer's credit. Finds none if the buyer or the seller invited the other, or if both
 * are likely the same person.
 */
function selectCredit(tx: Tx, { buyer_id, seller_id }: Purchase) {
  return tx
    .selectFrom("credit_accounts")
    .select("balance_cents")
    .where("member_id", "=", buyer_id)
    .where("balance_cents", ">", 0)
    .where(({ not }) => not(sharesTrace(sql`${buyer_id}::uuid`, sql`${seller_id}::uuid`)))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("invitations")
            .select("id")
            .where("inviter_id", "in", [buyer_id, seller_id])
            .where("friend_id", "in", [buyer_id, seller_id]),
        ),
      ),
    );
}

type Return = { bookingId: string; at: Date; maxCents?: number; id?: string };

/** `cents`: the total returned. `creditCents`: the part that is the buyer's credit. */
type Returned = { cents: number; creditCents: number };

/**
 * Returns the buyer's credit first, then the shop's discount. `maxCents`: in a partial refund, the
 * part that the card payment doesn't cover. The caller must have locked the booking.
 */
export async function returnContribution(
  tx: Tx,
  { bookingId, at, maxCents, id = bookingId }: Return,
): Promise<Returned> {
  let returned: Returned = { cents: 0, creditCents: 0 };
  if (maxCents === 0) return returned;
  const booking = await tx
    .selectFrom("bookings")
    .innerJoin("ledger_journals", "ledger_journals.booking_id", "bookings.id")
    .select(["ledger_journals.currency", "discount_cents"])
    .where("bookings.id", "=", bookingId)
    .where(({ eb, ref }) => eb(eb("discount_cents", "+", ref("credit_cents")), ">", 0))
    .limit(1)
    .executeTakeFirst();
  if (booking) {
    const deal = { bookingId, currency: booking.currency, at };
    const isLeft = await changeDeal(tx, deal, (journals) => {
      const before = { cents: journals.contributed(), creditCents: journals.balance("credits") };
      journals.returnContribution(id, maxCents ?? Number.MAX_SAFE_INTEGER);
      returned = {
        cents: before.cents - journals.contributed(),
        creditCents: before.creditCents - journals.balance("credits"),
      };
      return journals.balance("marketing") > 0;
    });
    if (isLeft) return returned;
  }
  // A partial refund doesn't forfeit a missed discount, which is paid as credit later.
  if (maxCents !== undefined && !booking?.discount_cents) return returned;
  await tx
    .updateTable("invitations")
    .set({ discount_booking_id: null })
    .where("discount_booking_id", "=", bookingId)
    .execute();
  return returned;
}
