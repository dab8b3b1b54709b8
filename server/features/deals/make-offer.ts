import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import { newOfferState } from "#contract/life-cycle.ts";
import { maxOffersPerLaptop, type newOffer, offerHours } from "#contract/offers.ts";
import { formatPrice, toCents, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError, orNotFound, TooManyRequests } from "../../errors.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { lockPair } from "../messages/block-member.ts";
import { requireReachable } from "../messages/send-message.ts";
import { requireKnownCurrency, unknownCurrencies } from "../shop-settings/shop-settings.ts";
import { closeOffer } from "./answer-offer.ts";
import { expireOverdueHold } from "./end-hold.ts";
import { findOffer, lockOffer, type Role, requireOpen } from "./find-offer.ts";

const dayMs = 24 * 3_600_000;

/**
 * Throws `FORBIDDEN` (own laptop), `PRICE_CHANGED` (offer not below the price), `ALREADY_OFFERED`,
 * `PRODUCT_TAKEN`, `NOT_FOUND`, `BLOCKED`, `GONE` or `TOO_MANY_REQUESTS`.
 */
export async function makeOffer(
  deps: Deps,
  buyer: Member,
  { product, price, phone, location }: z.output<typeof newOffer>,
): Promise<string> {
  const { seller_id } = await deps.db
    .selectFrom("products")
    .select("seller_id")
    .where("id", "=", product._id)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow(noLongerForSale);
  if (seller_id === buyer.id) throw new AppError("FORBIDDEN", "This is your own laptop.");
  await expireOverdueHold(deps, product._id);
  const price_cents = toCents(price);
  const parties = { product_id: product._id, buyer_id: buyer.id, seller_id };
  return await transact(deps.db, "makeOffer", async (tx) => {
    await requireNoBlock(tx, buyer, seller_id);
    await lockListing(tx, product._id, price_cents);
    await expireOverdueOffer(tx, deps, parties);
    const terms = { made_by: "buyer", price_cents, phone, location } as const;
    return await insertOffer(tx, deps, { ...parties, ...terms });
  });
}

/** Throws `STALE`, `INVALID_INPUT` (price no better than the offer's) and errors of `makeOffer`. */
export async function counterOffer(
  deps: Deps,
  member: Member,
  { id, price }: { id: string; price: number },
): Promise<string> {
  const { product_id, buyer_id, seller_id, role } = await findOffer(deps.db, member, id);
  const price_cents = toCents(price);
  return await transact(deps.db, "counterOffer", async (tx) => {
    const at = deps.clock.now();
    await requireNoBlock(tx, member, role === "buyer" ? seller_id : buyer_id);
    // Checked only in the transaction. Before it, the check would reject a retry with the same
    // Idempotency-Key, because the first request has closed the offer.
    requireBetterPrice(requireOpen(await findOffer(tx, member, id), at), price_cents);
    await lockListing(tx, product_id, price_cents);
    const { phone, location } = requireOpen(await lockOffer(tx, member, id), at);
    await closeOffer(tx, deps, { id, transition: "counter", actor: member.id });
    const parties = { product_id, buyer_id, seller_id };
    const terms = { made_by: role, price_cents, phone, location };
    return await insertOffer(tx, deps, { ...parties, ...terms });
  });
}

function requireBetterPrice(open: { role: Role; price_cents: number }, cents: number): void {
  const isSeller = open.role === "seller";
  if (isSeller ? cents > open.price_cents : cents < open.price_cents) return;
  const price = formatPrice(toDollars(open.price_cents));
  const message = isSeller
    ? `They've already offered ${price}. Accept it or name a higher price.`
    : `They're only asking ${price}. Accept it or name a lower price.`;
  throw fieldError("price", message);
}

/** Locks the pair first, so that no offer is stored after a block. */
async function requireNoBlock(tx: Tx, member: Member, other: string): Promise<void> {
  await lockPair(tx, [member.id, other]);
  await requireReachable(tx, member, other);
}

const noLongerForSale = orNotFound("This laptop is no longer for sale.");

/** Must run before offers are locked (decisions/database). */
async function lockListing(tx: Tx, productId: string, cents: number): Promise<void> {
  const listing = await tx
    .selectFrom("products")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .select(["sales_status", "resale_cents"])
    .where("products.id", "=", productId)
    .where("products.deleted_at", "is", null)
    .where("seller.deleted_at", "is", null)
    .where("seller.suspended_at", "is", null)
    .forShare("products")
    .executeTakeFirstOrThrow(noLongerForSale);
  if (listing.sales_status !== "available")
    throw new AppError("PRODUCT_TAKEN", "Someone else has booked this laptop.");
  if (listing.resale_cents > cents) return;
  const listed = formatPrice(toDollars(listing.resale_cents));
  const message = `The price is ${listed}. An offer has to be lower.`;
  throw new AppError("PRICE_CHANGED", message, { price: message });
}

type Parties = { product_id: string; buyer_id: string; seller_id: string };

/** Expires an overdue offer whose job hasn't run yet, because it would block a new offer. */
async function expireOverdueOffer(
  tx: Tx,
  deps: Deps,
  { product_id, buyer_id }: Parties,
): Promise<void> {
  const overdue = await tx
    .selectFrom("offers")
    .select("id")
    .where("product_id", "=", product_id)
    .where("buyer_id", "=", buyer_id)
    .where("state", "=", newOfferState)
    .where("expires_at", "<=", deps.clock.now())
    .forUpdate()
    .executeTakeFirst();
  if (overdue) await closeOffer(tx, deps, { ...overdue, transition: "expire", actor: null });
}

type NewOffer = Parties & { made_by: Role; price_cents: number; phone: string; location: string };

async function insertOffer(tx: Tx, deps: Deps, offer: NewOffer): Promise<string> {
  const { product_id, buyer_id, seller_id, made_by, price_cents } = offer;
  const isBuyer = made_by === "buyer";
  const at = deps.clock.now();
  if (isBuyer && deps.config.rateLimit) await requireFewOffers(tx, offer, at);
  const id = newId(at);
  const expires_at = new Date(at.getTime() + offerHours * 3_600_000);
  const floor = await findFloor(tx, product_id);
  const decline_at = isBuyer && price_cents < floor ? soon(at) : null;
  const added = await tx
    .insertInto("offers")
    .values({ ...offer, id, made_at: at, expires_at, decline_at })
    .onConflict((conflict) =>
      conflict
        .columns(["product_id", "buyer_id"])
        .where("state", "=", sql.lit(newOfferState))
        .doNothing(),
    )
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows === 0n)
    throw new AppError(
      "ALREADY_OFFERED",
      "There is an open offer for this laptop. Withdraw it or answer it first.",
    );
  // Read after the insert, because the insert waits for a concurrent currency change.
  requireKnownCurrency((await unknownCurrencies(deps.shop).execute(tx)).rows);
  const actor = isBuyer ? buyer_id : seller_id;
  await recordAudit(tx, { at, actor, verb: "make", object: "offer", objectId: id });
  await enqueue(tx, "expireOffer", { payload: { offerId: id }, runAt: expires_at });
  if (decline_at)
    await enqueue(tx, "declineOffer", { payload: { offerId: id }, runAt: decline_at });
  else await enqueue(tx, "mailOffer", { payload: { offerId: id, state: newOfferState } });
  return id;
}

/** Counts stored offers, so that a retry or a refused offer doesn't count. */
async function requireFewOffers(tx: Tx, offer: Parties, at: Date): Promise<void> {
  const { made, oldest } = await tx
    .selectFrom("offers")
    .select(({ fn }) => [
      fn.countAll<string>().as("made"),
      fn.min<Date | null>("made_at").as("oldest"),
    ])
    .where("product_id", "=", offer.product_id)
    .where("buyer_id", "=", offer.buyer_id)
    .where("made_by", "=", "buyer")
    .where("made_at", ">", new Date(at.getTime() - dayMs))
    .executeTakeFirstOrThrow();
  if (oldest === null || Number(made) < maxOffersPerLaptop) return;
  throw new TooManyRequests(
    Math.ceil((oldest.getTime() + dayMs - at.getTime()) / 1_000),
    `You can make up to ${maxOffersPerLaptop} offers a day on one laptop. Try again later.`,
  );
}

async function findFloor(tx: Tx, productId: string): Promise<number> {
  const floor = await tx
    .selectFrom("offer_floors")
    .select("floor_cents")
    .where("product_id", "=", productId)
    .executeTakeFirst();
  return floor?.floor_cents ?? 0;
}

/** Picks a time 20 to 120 minutes from now: instant declines would reveal the lowest price. */
function soon(at: Date): Date {
  return new Date(at.getTime() + randomInt(20 * 60, 120 * 60) * 1_000);
}
