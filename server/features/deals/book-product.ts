import { sql } from "kysely";
import { hold, newOfferState, offerTransitions } from "#contract/life-cycle.ts";
import { toCents } from "#contract/price.ts";
import { insertTogether, type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { insertAudit, recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { insertJob } from "../../jobs/job-queue.ts";
import { insertTrace } from "../rewards/member-traces.ts";
import { requireKnownCurrency, unknownCurrencies } from "../shop-settings/shop-settings.ts";
import {
  type BookingRequest,
  claimProduct,
  lockParties,
  noLongerListed,
  type Order,
  refuseClaim,
  selectLiveBooking,
  taken,
} from "./claim-product.ts";
import { holdEmails } from "./deal-emails.ts";
import { endHold } from "./end-hold.ts";
import { closedAt, endOffers } from "./end-offers.ts";
import { currentTimes, termsOfHold } from "./fee-times-and-promo.ts";
import { noLongerOpen } from "./find-offer.ts";
import {
  requireBelowHoldLimit,
  requireNetworkBelowHoldLimit,
  requireNoHoldCooldown,
} from "./hold-limits.ts";
import { notifyParties } from "./notify-parties.ts";

/**
 * Holds a laptop under the shop's current terms. A repeated call returns the buyer's live booking.
 * Throws `FORBIDDEN` (own laptop), `BLOCKED`, `PRODUCT_TAKEN`, `PRICE_CHANGED`, `NOT_FOUND`,
 * `TOO_MANY_HOLDS`, `STALE` (closed offer), and `TOO_MANY_REQUESTS` (cooldown after ended holds).
 * Rejects staff, but checks no other role: see `access` in contract/bookings.ts.
 */
export async function bookProduct(
  deps: Deps,
  buyer: Member,
  order: Order,
): Promise<{ id: string; repeated: boolean }> {
  const productId = order.bookingProduct._id;
  await expireOverdueHoldOrRefuse(deps, buyer, productId);
  return await transact(deps.db, "bookProduct", async (tx) => {
    const request = { buyer, order, at: deps.clock.now(), limited: deps.config.rateLimit };
    const listing = await lockParties(tx, request);
    if (!listing) throw noLongerListed();
    if (listing.sellerId === buyer.id) throw new AppError("FORBIDDEN", "This is your own laptop.");
    const claim = await claimProduct(tx, request, listing);
    if (claim.live?.buyer_id === buyer.id) {
      await requireRepeated(tx, order, claim.live.id);
      return { id: claim.live.id, repeated: true };
    }
    if (claim.blocked)
      throw new AppError(
        "BLOCKED",
        "You can't hold this laptop: one of you has blocked the other.",
      );
    requireBelowHoldLimit(Number(claim.holds));
    if (claim.ended) requireNoHoldCooldown(claim.ended, request.at);
    requireNetworkBelowHoldLimit(Number(claim.networkHolds ?? 0));
    if (!listing.bothMayDeal) throw noLongerListed();
    if (!claim.claimed) await refuseClaim(tx, productId);
    const isContactShown = claim.mayShowContact ?? true;
    return { id: await insertBooking(tx, deps, { ...request, isContactShown }), repeated: false };
  });
}

/** Runs before the transaction, because rejecting an attempt costs less without one. */
async function expireOverdueHoldOrRefuse(
  deps: Deps,
  buyer: Member,
  productId: string,
): Promise<void> {
  const live = await selectLiveBooking(deps.db, productId, deps.clock.now()).executeTakeFirst();
  if (!live) return;
  if (live.is_overdue)
    await endHold(deps, { bookingId: live.id, transition: "expire", actor: null });
  else if (live.buyer_id !== buyer.id) throw taken();
}

type Claimed = BookingRequest & { isContactShown: boolean };

async function insertBooking(
  tx: Tx,
  deps: Deps,
  { buyer, order, at, limited, isContactShown }: Claimed,
): Promise<string> {
  const id = newId(at);
  const heldUntil = new Date(at.getTime() + currentTimes(deps).holdHours * 3_600_000);
  const booking = tx.insertInto("bookings").values({
    id,
    network: limited ? order.network : null,
    contact_shown: isContactShown,
    product_id: order.bookingProduct._id,
    buyer_id: buyer.id,
    price_cents: toCents(order.price),
    ...termsOfHold(deps),
    phone: order.phone,
    location: order.location,
    state: hold.to,
    booked_at: at,
    held_until: heldUntil,
  });
  const inserts = [
    booking,
    insertAudit(tx, { at, actor: buyer.id, verb: "hold", object: "booking", objectId: id }),
    insertSnapshot(tx, id, order.bookingProduct._id),
    ...(order.network === null
      ? []
      : [insertTrace(tx, { kind: "network", value: order.network }, { memberId: buyer.id, at })]),
    insertJob(tx, "expireHold", { payload: { bookingId: id }, runAt: heldUntil }),
    endOffers(tx, order.bookingProduct._id, { at, except: order.accepts?.offerId }),
  ];
  requireKnownCurrency(await insertTogether(tx, inserts, unknownCurrencies(deps.shop)));
  const email = order.accepts ? holdEmails.agreed : holdEmails.held;
  await notifyParties(tx, deps, { bookingId: id, email });
  if (order.accepts) await acceptOffer(tx, { ...order.accepts, bookingId: id, at });
  return id;
}

type Acceptance = { offerId: string; by: string; bookingId: string; at: Date };

async function acceptOffer(tx: Tx, { offerId, by, bookingId, at }: Acceptance): Promise<void> {
  await tx
    .updateTable("offers")
    .set({ state: offerTransitions.accept.to, booking_id: bookingId, ...closedAt(at) })
    .where("id", "=", offerId)
    .where("state", "=", newOfferState)
    .where("expires_at", ">", at)
    .returning("id")
    .executeTakeFirstOrThrow(noLongerOpen);
  await recordAudit(tx, { at, actor: by, verb: "accept", object: "offer", objectId: offerId });
}

/** Throws `STALE` if the order accepts an offer, but another request made the buyer's hold. */
async function requireRepeated(tx: Tx, { accepts }: Order, bookingId: string): Promise<void> {
  if (!accepts) return;
  await tx
    .selectFrom("offers")
    .select("id")
    .where("id", "=", accepts.offerId)
    .where("booking_id", "=", bookingId)
    .executeTakeFirstOrThrow(noLongerOpen);
}

/** Builds the query that stores the listing as JSON (`bookedListing` in the contract). */
function insertSnapshot(tx: Tx, bookingId: string, productId: string) {
  return tx
    .insertInto("listing_snapshots")
    .columns(["booking_id", "listing"])
    .expression((select) =>
      select
        .selectFrom("products as p")
        .leftJoin("laptop_facts as f", "f.product_id", "p.id")
        .select([sql<string>`${bookingId}::uuid`.as("booking_id"), listing().as("listing")])
        .where("p.id", "=", productId),
    );
}

const listing = () => sql<string>`jsonb_build_object(
  'product_name', p.product_name, 'condition', p.condition, 'description', p.description,
  'resale_price', p.resale_cents / ${toCents(1)}::numeric, 'original_price', p.original_cents / ${toCents(1)}::numeric,
  'use_duration', p.use_duration, 'yearOf_purchase', p.year_of_purchase, 'location', p.location,
  'images', to_jsonb(array_prepend(p.img, p.more_images)),
  'facts', coalesce(jsonb_strip_nulls(to_jsonb(f) - 'product_id' - 'origins'), '{}'))`;
