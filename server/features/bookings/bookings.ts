import type { z } from "zod";
import { maxUnpaidHolds, type newBooking } from "#contract/bookings.ts";
import { hold, liveBookingStates } from "#contract/life-cycle.ts";
import { formatPrice, toCents, toDollars } from "#contract/money.ts";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { endHold } from "../booking-lifecycle/hold-expiry.ts";
import { lockActiveParties } from "../booking-lifecycle/lock-active-parties.ts";
import { isActiveHold, isOverdue } from "../booking-lifecycle/overdue.ts";
import { applyTransition } from "../booking-lifecycle/transition.ts";
import { notifyParties } from "../email/notify.ts";
import {
  mayShowContact,
  requireNetworkBelowHoldLimit,
  requireNoHoldCooldown,
} from "./hold-limits.ts";

/** `network`: the caller's address or IPv6 /64; null in demo data. */
type Order = z.output<typeof newBooking> & { network: string | null };

/**
 * Holds a product for `HOLD_MINUTES` at the price the buyer saw. Repeated, it returns the buyer's live
 * booking. Refuses `PRODUCT_TAKEN`, `PRICE_CHANGED`, `TOO_MANY_HOLDS`, `NOT_FOUND`, and `TOO_MANY_REQUESTS`
 * after too many unpaid holds.
 */
export async function bookProduct(
  deps: Deps,
  buyer: Member,
  order: Order,
): Promise<{ id: string; repeated: boolean }> {
  await expireOverdueHoldOrRefuse(deps, buyer, order.bookingProduct._id);
  return await transact(deps.db, "bookProduct", async (tx) => {
    await lockBuyer(tx, buyer);
    const at = deps.clock.now();
    const live = await findLiveBooking(tx, order.bookingProduct._id, at);
    if (live?.buyer_id === buyer.id) return { id: live.id, repeated: true };
    await requireBelowHoldLimit(tx, buyer, at);
    if (deps.config.rateLimit) {
      await requireNoHoldCooldown(tx, buyer, at);
      await requireNetworkBelowHoldLimit(tx, order.network, at);
    }
    if (!(await lockActiveParties(tx, { buyerId: buyer.id, productId: order.bookingProduct._id })))
      throw noLongerListed();
    await claimProduct(tx, order);
    return { id: await insertBooking(tx, { deps, buyer, order }), repeated: false };
  });
}

/**
 * Expires an overdue hold of the product. Refuses `PRODUCT_TAKEN` if another buyer has it: without a
 * transaction, which keeps a crowd after one laptop cheap.
 */
async function expireOverdueHoldOrRefuse(
  deps: Deps,
  buyer: Member,
  productId: string,
): Promise<void> {
  const live = await findLiveBooking(deps.db, productId, deps.clock.now());
  if (!live) return;
  if (live.is_overdue)
    await endHold(deps, { bookingId: live.id, transition: "expire", actor: null });
  else if (live.buyer_id !== buyer.id) throw taken();
}

/** Serializes one buyer's bookings, so that a double click finds the first booking. */
async function lockBuyer(tx: Tx, buyer: Member): Promise<void> {
  await tx.selectFrom("members").select("id").where("id", "=", buyer.id).forNoKeyUpdate().execute();
}

async function findLiveBooking(tx: Tx, productId: string, now: Date) {
  return await tx
    .selectFrom("bookings")
    .select(["id", "buyer_id", isOverdue(now).as("is_overdue")])
    .where("product_id", "=", productId)
    .where("state", "in", liveBookingStates)
    .executeTakeFirst();
}

async function requireBelowHoldLimit(tx: Tx, buyer: Member, now: Date): Promise<void> {
  const { holds } = await tx
    .selectFrom("bookings")
    .select(({ fn }) => fn.countAll<string>().as("holds"))
    .where("buyer_id", "=", buyer.id)
    .where(isActiveHold(now))
    .executeTakeFirstOrThrow();
  if (Number(holds) < maxUnpaidHolds) return;
  const message = `You hold ${maxUnpaidHolds} laptops already. Pay for one or cancel one before you book another.`;
  throw new AppError("TOO_MANY_HOLDS", message);
}

/** The conditional update is the check: of concurrent requests, one finds the product available. */
async function claimProduct(tx: Tx, { bookingProduct, price }: Order): Promise<void> {
  const claimed = await tx
    .updateTable("products")
    .set({ sales_status: hold.product.to })
    .where("id", "=", bookingProduct._id)
    .where("deleted_at", "is", null)
    .where("sales_status", "=", hold.product.from)
    .where("resale_cents", "=", toCents(price))
    .executeTakeFirst();
  if (claimed.numUpdatedRows === 0n) await refuseClaim(tx, bookingProduct._id);
}

async function refuseClaim(tx: Tx, productId: string): Promise<never> {
  const product = await tx
    .selectFrom("products")
    .select(["sales_status", "resale_cents"])
    .where("id", "=", productId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!product) throw noLongerListed();
  if (product.sales_status !== "available") throw taken();
  const price = formatPrice(toDollars(product.resale_cents));
  throw new AppError(
    "PRICE_CHANGED",
    `The price is ${price} now. Look at the laptop again before you book it.`,
  );
}

function taken(): AppError {
  return new AppError("PRODUCT_TAKEN", "Someone else has just booked this laptop.");
}

function noLongerListed(): AppError {
  return new AppError("NOT_FOUND", "This laptop is no longer listed.");
}

async function insertBooking(
  tx: Tx,
  { deps, buyer, order }: { deps: Deps; buyer: Member; order: Order },
): Promise<string> {
  const at = deps.clock.now();
  const id = newId(at);
  const heldUntil = new Date(at.getTime() + deps.config.holdMinutes * 60_000);
  const limited = deps.config.rateLimit;
  const contact_shown =
    !limited || (await mayShowContact(tx, { at, buyer, productId: order.bookingProduct._id }));
  await tx
    .insertInto("bookings")
    .values({
      id,
      network: limited ? order.network : null,
      contact_shown,
      product_id: order.bookingProduct._id,
      buyer_id: buyer.id,
      price_cents: toCents(order.price),
      phone: order.phone,
      location: order.location,
      state: hold.to,
      booked_at: at,
      held_until: heldUntil,
    })
    .execute();
  await enqueue(tx, "expireHold", { payload: { bookingId: id }, runAt: heldUntil });
  await recordAudit(tx, { at, actor: buyer.id, verb: "hold", object: "booking", objectId: id });
  await notifyParties(tx, deps, { bookingId: id, event: "held" });
  return id;
}

/** Cancels an unpaid hold for its buyer or seller. Refuses `BOOKING_NOT_PAYABLE`, `NOT_FOUND`. */
export async function cancelBooking(deps: Deps, member: Member, bookingId: string): Promise<void> {
  const booking = await deps.db
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select("bookings.id")
    .where("bookings.id", "=", bookingId)
    .where(({ eb, or }) =>
      or([eb("bookings.buyer_id", "=", member.id), eb("products.seller_id", "=", member.id)]),
    )
    .executeTakeFirst();
  if (!booking) throw new AppError("NOT_FOUND", "You have no such booking.");
  const ended = await endHold(deps, { bookingId, transition: "cancel", actor: member.id });
  if (!ended)
    throw new AppError(
      "BOOKING_NOT_PAYABLE",
      "This booking has already been paid for or has ended.",
    );
}

/** Records the buyer's confirmation of the handover. Refuses `STALE` unless the booking is paid, and `NOT_FOUND`. */
export async function confirmHandover(deps: Deps, buyer: Member, bookingId: string): Promise<void> {
  await transact(deps.db, "confirmHandover", async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .select("id")
      .where("id", "=", bookingId)
      .where("buyer_id", "=", buyer.id)
      .executeTakeFirst();
    if (!booking) throw new AppError("NOT_FOUND", "You have no such booking.");
    const move = {
      bookingId,
      transition: "complete",
      at: deps.clock.now(),
      actor: buyer.id,
    } as const;
    if (await applyTransition(tx, move)) return;
    throw new AppError("STALE", "You can confirm a handover once, after the laptop is paid for.");
  });
}
