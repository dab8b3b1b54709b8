import type { z } from "zod";
import { maxUnpaidHolds, type newBooking } from "#contract/bookings.ts";
import { hold, liveBookingStates } from "#contract/life-cycle.ts";
import { formatPrice, toCents, toDollars } from "#contract/money.ts";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { notifyParties } from "../email/notify.ts";
import type { Member } from "../members/members.ts";
import { endHold } from "./hold-expiry.ts";
import {
  mayShowContact,
  requireNetworkBelowHoldLimit,
  requireNoHoldCooldown,
} from "./hold-limits.ts";
import { lockActiveParties } from "./lock-active-parties.ts";
import { applyTransition } from "./transition.ts";

/** What is booked, and the network it is booked from; none for the demo's past. */
type Order = z.output<typeof newBooking> & { network: string | null };

/**
 * Holds a product for a buyer at the price they saw, for `HOLD_MINUTES`; asked again it answers their
 * live booking. Refuses `PRODUCT_TAKEN`, `PRICE_CHANGED`, `TOO_MANY_HOLDS`, `NOT_FOUND`, and
 * `TOO_MANY_REQUESTS` in a pause after holds that came to nothing.
 */
export async function bookProduct(
  deps: Deps,
  buyer: Member,
  order: Order,
): Promise<{ id: string; repeated: boolean }> {
  await expireOverdueHoldOrRefuse(deps, buyer, order.bookingProduct._id);
  return await transact(deps.db, "bookProduct", async (tx) => {
    await waitForOwnOrders(tx, buyer);
    const live = await findLiveBooking(tx, order.bookingProduct._id);
    if (live?.buyer_id === buyer.id) return { id: live.id, repeated: true };
    await requireFreeHold(tx, buyer, deps.clock.now());
    const at = deps.clock.now();
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
 * Ends a hold that has run out. Where a crowd asks for one laptop, all but the first few end here, with
 * one look and no transaction.
 */
async function expireOverdueHoldOrRefuse(
  deps: Deps,
  buyer: Member,
  productId: string,
): Promise<void> {
  const live = await findLiveBooking(deps.db, productId);
  if (!live) return;
  if (live.state === "held" && live.held_until <= deps.clock.now())
    await endHold(deps, { bookingId: live.id, transition: "expire", actor: null });
  else if (live.buyer_id !== buyer.id) throw taken();
}

/** Orders of one buyer go one after the other, so a double click finds the first one's booking. */
async function waitForOwnOrders(tx: Tx, buyer: Member): Promise<void> {
  await tx.selectFrom("members").select("id").where("id", "=", buyer.id).forNoKeyUpdate().execute();
}

async function findLiveBooking(tx: Tx, productId: string) {
  return await tx
    .selectFrom("bookings")
    .select(["id", "buyer_id", "state", "held_until"])
    .where("product_id", "=", productId)
    .where("state", "in", liveBookingStates)
    .executeTakeFirst();
}

async function requireFreeHold(tx: Tx, buyer: Member, now: Date): Promise<void> {
  const { holds } = await tx
    .selectFrom("bookings")
    .select(({ fn }) => fn.countAll<string>().as("holds"))
    .where("buyer_id", "=", buyer.id)
    .where("state", "=", "held")
    .where("held_until", ">", now)
    .executeTakeFirstOrThrow();
  if (Number(holds) < maxUnpaidHolds) return;
  const message = `You hold ${maxUnpaidHolds} laptops already. Pay for one or let one go before you book another.`;
  throw new AppError("TOO_MANY_HOLDS", message);
}

/** The claim is the check: of all who ask at once, one update finds the product available. */
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
  return new AppError("PRODUCT_TAKEN", "Somebody else has just booked this laptop.");
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

/** Lets go of an unpaid hold: its buyer, or the product's seller. Refuses `BOOKING_NOT_PAYABLE`, `NOT_FOUND`. */
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
  if (!booking) throw new AppError("NOT_FOUND", "There is no such booking of yours.");
  const ended = await endHold(deps, { bookingId, transition: "cancel", actor: member.id });
  if (!ended)
    throw new AppError("BOOKING_NOT_PAYABLE", "This booking is paid for or has ended already.");
}

/** The buyer says the laptop was handed over. Refuses `STALE` unless it is paid, and `NOT_FOUND`. */
export async function confirmHandover(deps: Deps, buyer: Member, bookingId: string): Promise<void> {
  await transact(deps.db, "confirmHandover", async (tx) => {
    const booking = await tx
      .selectFrom("bookings")
      .select("id")
      .where("id", "=", bookingId)
      .where("buyer_id", "=", buyer.id)
      .executeTakeFirst();
    if (!booking) throw new AppError("NOT_FOUND", "There is no such booking of yours.");
    const move = {
      bookingId,
      transition: "complete",
      at: deps.clock.now(),
      actor: buyer.id,
    } as const;
    if (await applyTransition(tx, move)) return;
    throw new AppError(
      "STALE",
      "Only a paid laptop that was not handed over yet can be confirmed.",
    );
  });
}
