import { openBookingStates } from "#contract/life-cycle.ts";
import { formatPrice, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import { lockExistingMember, type Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { deleteOptOuts } from "../../email/opt-outs.ts";
import { AppError } from "../../errors.ts";
import { endHold } from "../deals/end-hold.ts";
import { endOffersOf } from "../deals/end-offers.ts";
import { deleteMessageSettings } from "../messages/conversations.ts";
import { readDebt } from "../money/reverse-transfers.ts";
import { unbooked } from "../products/products.ts";
import { endInvitationsOf } from "../rewards/invitation-codes.ts";
import { deleteSavedProducts } from "../saved/saved-products.ts";
import { deleteSavedSearches } from "../saved/saved-searches.ts";

/** Deletion is retried, because the member might start a new hold while earlier holds are ended. */
const maxAttempts = 4;

/**
 * Ends the member's unpaid holds first. Throws `NOT_FOUND`. Throws `IN_USE` for an admin, a paid
 * deal before the handover, a payment in progress, money still at the shop, or a debt from a sale
 * (decisions/money). `erase-deleted-members.ts` erases personal data after 30 days.
 */
export async function deleteUser(deps: Deps, actor: Member, id: string): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const holds = await transact(deps.db, `deleteUser ${attempt}`, async (tx) => {
      // The lock prevents new or reclaimed holds and new listings.
      const { name, email, is_admin } = await lockExistingMember(tx, id);
      const isSelf = id === actor.id;
      if (is_admin) throw new AppError("IN_USE", isSelf ? notYourself : notAnAdmin);
      const who = isSelf ? "You have" : `${name} has`;
      const open = await openDealsOf(tx, id);
      if (open.some(({ state }) => state === "paid"))
        throw new AppError("IN_USE", `${who} ${notHandedOver}${isSelf ? "" : ", or refund it"}.`);
      if (await hasMoneyHere(tx, id)) throw new AppError("IN_USE", `${who} ${notPaidOut}`);
      const owedCents = await readDebt(tx, deps, id);
      if (owedCents > 0) throw stillOwing(isSelf ? undefined : name, owedCents);
      if (open.length === 0) await deleteMember(tx, deps, { id, email, actor });
      return open.map((deal) => deal.id);
    });
    if (holds.length === 0) return;
    for (const bookingId of holds)
      await endHold(deps, { bookingId, transition: "cancel", actor: actor.id });
  }
  throw new AppError(
    "IN_USE",
    "A payment involving this member is in progress. Try again in a minute.",
  );
}

const notYourself = "You can't delete yourself while you are an admin.";
const notAnAdmin = "An admin can't be deleted. Take the role away first.";

const notHandedOver = "a laptop paid for and not yet handed over. Wait until that is done";
const notPaidOut =
  "a sale, a complaint or a refund whose money is still with us. Wait until it is paid out or refunded.";

/** `name` is undefined if the member is deleting their own account. */
function stillOwing(name: string | undefined, cents: number): AppError {
  const debt = formatPrice(toDollars(cents));
  const message =
    name === undefined
      ? `You owe ${debt}, because the buyer of a sale got money back after you had been paid. It is taken from your next sale or your balance at the card provider. Write to us to pay it another way.`
      : `${name} owes ${debt} of a sale whose buyer got money back. It is taken from their next sale or their balance at the card provider.`;
  return new AppError("IN_USE", message);
}

/**
 * Whether the member sold a laptop that was handed over but not paid out, or as a buyer has an open
 * complaint, a laptop to return, or an owed refund that is partial or has failed.
 */
async function hasMoneyHere(tx: Tx, memberId: string): Promise<boolean> {
  const settlement = await tx
    .selectFrom("settlements")
    .select("booking_id")
    .where("seller_id", "=", memberId)
    .where("handed_over_at", "is not", null)
    .where("closed_at", "is", null)
    .union(
      tx
        .selectFrom("complaints")
        .innerJoin("bookings", "bookings.id", "complaints.booking_id")
        .select("complaints.booking_id")
        .where("bookings.buyer_id", "=", memberId)
        .where(({ or, eb }) => or([eb("decided_at", "is", null), eb("return_by", "is not", null)])),
    )
    .union(
      tx
        .selectFrom("payments")
        .innerJoin("bookings", "bookings.id", "payments.booking_id")
        .select("payments.booking_id")
        .where("owed_since", "is not", null)
        .where("payments.state", "in", ["succeeded", "refund_failed"])
        .where("bookings.buyer_id", "=", memberId),
    )
    .limit(1)
    .executeTakeFirst();
  return settlement !== undefined;
}

/** Uses one query, so that a booking that changes from held to paid is found exactly once. */
export async function openDealsOf(tx: Tx, memberId: string) {
  const deals = tx
    .selectFrom("bookings")
    .select(["bookings.id", "bookings.state"])
    .where("bookings.state", "in", openBookingStates);
  // This is a union, because a condition with `or` couldn't use an index.
  return await deals
    .where("bookings.buyer_id", "=", memberId)
    .union(
      deals
        .innerJoin("products", "products.id", "bookings.product_id")
        .where("products.seller_id", "=", memberId),
    )
    .orderBy("id")
    .execute();
}

type Deletion = { id: string; email: string; actor: Member };

async function deleteMember(tx: Tx, deps: Deps, { id, email, actor }: Deletion): Promise<void> {
  const at = deps.clock.now();
  const { confirmed_at } = await tx
    .updateTable("members")
    .set({ deleted_at: at })
    .where("id", "=", id)
    .returning("confirmed_at")
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("products")
    .set({ deleted_at: at, advertise: false })
    .where("seller_id", "=", id)
    .where("sales_status", "in", unbooked)
    .where("deleted_at", "is", null)
    .execute();
  await deleteSavedProducts(tx, id);
  await deleteSavedSearches(tx, id);
  await deleteMessageSettings(tx, id);
  await deleteOptOuts(tx, id);
  await endOffersOf(tx, id, at);
  await endInvitationsOf(tx, deps, { id, email, isConfirmed: confirmed_at !== null });
  await deps.identity.accounts.remove(tx, email);
  await recordAudit(tx, { at, actor: actor.id, verb: "delete", object: "member", objectId: id });
}
