import { sql } from "kysely";
import { discountCentsOf, leastDue } from "#contract/invitation-rules.ts";
import type { Config } from "../../config.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { dealJournals } from "../ledger/deal-journals.ts";
import { postJournals } from "../ledger/post-journal.ts";

/** What a buyer does not pay by card. */
export type Reduction = { discountCents: number; creditCents: number };

type Purchase = { id: string; buyer_id: string; seller_id: string; price_cents: number };

/** SQL: what is due by card for a booking, in cents. */
export const dueCents = sql<number>`(bookings.price_cents - bookings.discount_cents - bookings.credit_cents)`;

/** What would be off a purchase now. */
export async function readReduction(
  tx: Tx,
  config: Config,
  purchase: Purchase,
): Promise<Reduction> {
  const invitation = await selectDiscount(tx, config, purchase).executeTakeFirst();
  const account = await selectCredit(tx, purchase).executeTakeFirst();
  return reductionOf(config, purchase, { hasDiscount: invitation !== undefined, account });
}

/**
 * Takes discount and credit for a held booking, in the ledger: from here on its amount due stays, whatever the buyer
 * earns or spends elsewhere. Without either nothing is written. The locks make two purchases of one buyer take turns. The caller has locked the booking.
 */
export async function fixAmountDue(
  tx: Tx,
  { config, clock }: Deps,
  purchase: Purchase,
): Promise<Reduction> {
  const at = clock.now();
  const invitation = await selectDiscount(tx, config, purchase).forUpdate().executeTakeFirst();
  const account = await selectCredit(tx, purchase).forUpdate().executeTakeFirst();
  const hasDiscount = invitation !== undefined;
  const reduction = reductionOf(config, purchase, { hasDiscount, account });
  const { discountCents, creditCents } = reduction;
  if (discountCents + creditCents === 0) return reduction;
  await tx
    .updateTable("bookings")
    .set({ discount_cents: discountCents, credit_cents: creditCents, amount_fixed_at: at })
    .where("id", "=", purchase.id)
    .execute();
  if (invitation && discountCents > 0)
    await tx
      .updateTable("invitations")
      .set({ discount_booking_id: purchase.id })
      .where("id", "=", invitation.id)
      .execute();
  const journals = dealJournals([]);
  journals.contribute(purchase.id, { ...reduction, memberId: purchase.buyer_id });
  const deal = { bookingId: purchase.id, currency: config.currency, at };
  await postJournals(tx, deal, journals.added());
  return reduction;
}

type Available = { hasDiscount: boolean; account: { balance_cents: number } | undefined };

function reductionOf(
  { invitations: { rules } }: Config,
  { price_cents: priceCents }: Purchase,
  { hasDiscount, account }: Available,
): Reduction {
  const discountCents = hasDiscount ? Math.max(0, discountCentsOf({ priceCents, rules })) : 0;
  const most = Math.max(0, priceCents - discountCents - leastDue * 100);
  return { discountCents, creditCents: Math.min(account?.balance_cents ?? 0, most) };
}

/**
 * The discount of an invited friend who has bought nothing over the least price yet; none for a laptop of the inviter,
 * because that would only move the shop's money to the two.
 */
function selectDiscount(tx: Tx, config: Config, { buyer_id, seller_id }: Purchase) {
  return tx
    .selectFrom("invitations")
    .select("id")
    .where("friend_id", "=", buyer_id)
    .where("state", "in", ["joined", "started"])
    .where("discount_booking_id", "is", null)
    .where("inviter_id", "<>", seller_id)
    .where(({ not }) => not(hasBought(config)));
}

/** Whether the friend of an invitation has bought something over the least price, and not got all of it back. */
export function hasBought({ invitations: { rules } }: Pick<Config, "invitations">) {
  return sql<boolean>`exists (
    select from bookings b left join settlements s on s.booking_id = b.id
    where b.buyer_id = invitations.friend_id and b.state in ('paid', 'completed')
      and b.price_cents > ${rules.discountOver * 100} and s.state is distinct from 'refunded')`;
}

/** Credit of the buyer; none between a member and somebody they invited. */
function selectCredit(tx: Tx, { buyer_id, seller_id }: Purchase) {
  return tx
    .selectFrom("credit_accounts")
    .select("balance_cents")
    .where("member_id", "=", buyer_id)
    .where("balance_cents", ">", 0)
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
