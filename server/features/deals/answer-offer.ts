import { sql } from "kysely";
import { newOfferState, offerTransitions } from "#contract/life-cycle.ts";
import { toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { findMember } from "../members/members.ts";
import { requireReachable } from "../messages/send-message.ts";
import { bookProduct } from "./book-product.ts";
import { closedAt } from "./end-offers.ts";
import { findOffer, lockOffer, noLongerOpen, requireOpen } from "./find-offer.ts";

/**
 * Accepts an offer and holds the laptop at the offered price, in one transaction. A repeated call
 * returns the same booking. Throws `NOT_FOUND`, `STALE`, `GONE`, and the errors of `bookProduct`.
 */
export async function acceptOffer(
  deps: Deps,
  member: Member,
  { id, network }: { id: string; network: string },
): Promise<string> {
  const found = await findOffer(deps.db, member, id);
  if (!found.isMine && found.booking_id !== null) return found.booking_id;
  const offer = requireOpen(found, deps.clock.now());
  const isBuyer = offer.role === "buyer";
  await requireReachable(deps.db, member, isBuyer ? offer.seller_id : offer.buyer_id);
  const buyer = isBuyer ? member : await findMember(deps.db, offer.buyer_id, sql<boolean>`true`);
  if (!buyer) throw noLongerOpen();
  const order = {
    price: toDollars(offer.price_cents),
    phone: offer.phone,
    location: offer.location,
    bookingProduct: { _id: offer.product_id },
    // When the seller accepts, the buyer's network is unknown.
    network: isBuyer ? network : null,
    accepts: { offerId: id, by: member.id },
  };
  const booked = bookProduct(deps, buyer, order);
  return (await (isBuyer ? booked : booked.catch(refuseForSeller))).id;
}

/** Replaces errors that address the buyer, such as "You hold 5 laptops". Rethrows others. */
function refuseForSeller(error: unknown): never {
  const isLimit =
    error instanceof AppError && ["TOO_MANY_HOLDS", "TOO_MANY_REQUESTS"].includes(error.code);
  if (!isLimit) throw error;
  throw new AppError(
    "TOO_MANY_HOLDS",
    "This buyer can't hold another laptop right now. Try again later, or answer with a message.",
  );
}

/** Throws `NOT_FOUND`, `STALE`. */
export async function declineOffer(deps: Deps, member: Member, id: string): Promise<void> {
  await transact(deps.db, "declineOffer", async (tx) => {
    requireOpen(await lockOffer(tx, member, id), deps.clock.now());
    await closeOffer(tx, deps, { id, transition: "decline", actor: member.id });
  });
}

/** Throws `NOT_FOUND`, `STALE`. */
export async function withdrawOffer(deps: Deps, member: Member, id: string): Promise<void> {
  await transact(deps.db, "withdrawOffer", async (tx) => {
    const offer = await lockOffer(tx, member, id);
    if (!offer.isMine)
      throw new AppError("STALE", "The other side made this offer. You can decline it.");
    const isOpen = offer.state === newOfferState && offer.expires_at > deps.clock.now();
    if (!isOpen) throw noLongerOpen();
    await closeOffer(tx, deps, { id, transition: "withdraw", actor: member.id });
  });
}

/** Job `declineOffer`, for an offer that is still below the seller's lowest price. */
export async function declineBelowFloor(deps: Deps, id: string): Promise<void> {
  await closeIfOpen(deps, { id, transition: "decline" });
}

export async function expireOffer(deps: Deps, id: string): Promise<void> {
  await closeIfOpen(deps, { id, transition: "expire" });
}

type Overdue = { id: string; transition: "decline" | "expire" };

async function closeIfOpen(deps: Deps, { id, transition }: Overdue): Promise<void> {
  await transact(deps.db, `close offer ${id}`, async (tx) => {
    const open = await tx
      .selectFrom("offers")
      .select("id")
      .where("id", "=", id)
      .where("state", "=", newOfferState)
      .$if(transition === "decline", (offer) => offer.where("decline_at", "is not", null))
      .forUpdate()
      .executeTakeFirst();
    if (open) await closeOffer(tx, deps, { id, transition, actor: null });
  });
}

type Closing = { id: string; transition: keyof typeof offerTransitions; actor: string | null };

/** Requires a locked offer. A counter sends no email of its own: the new offer does. */
export async function closeOffer(
  tx: Tx,
  { clock }: Deps,
  { id, transition, actor }: Closing,
): Promise<void> {
  const at = clock.now();
  const state = offerTransitions[transition].to;
  await tx
    .updateTable("offers")
    .set({ state, ...closedAt(at) })
    .where("id", "=", id)
    .execute();
  await recordAudit(tx, { at, actor, verb: transition, object: "offer", objectId: id });
  if (transition !== "counter") await enqueue(tx, "mailOffer", { payload: { offerId: id, state } });
}
