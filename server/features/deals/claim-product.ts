import { type QueryCreator, sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { z } from "zod";
import type { newBooking } from "#contract/bookings.ts";
import { hold, liveBookingStates } from "#contract/life-cycle.ts";
import { formatPrice, toCents, toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { DB } from "../../db/schema.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { isBlocked, pairLock } from "../messages/block-member.ts";
import { isOverdue } from "./booking-columns.ts";
import { countHolds, countNetworkHolds, lockNetwork, selectEndedHolds } from "./hold-limits.ts";
import { selectMayShowContact } from "./seller-contact.ts";

/** `network`: the buyer's IPv4 address or IPv6 /64; null if unknown. */
export type Order = z.output<typeof newBooking> & {
  network: string | null;
  /** The offer that the order accepts, and the id of the member who accepts it. */
  accepts?: { offerId: string; by: string };
};

/** `limited`: whether limits per network and per day apply. */
export type BookingRequest = { buyer: Member; order: Order; at: Date; limited: boolean };

export function selectLiveBooking(tx: Tx, productId: string, now: Date) {
  return tx
    .selectFrom("bookings")
    .select(["id", "buyer_id", isOverdue(now).as("is_overdue")])
    .where("product_id", "=", productId)
    .where("state", "in", liveBookingStates);
}

type Listing = NonNullable<Awaited<ReturnType<typeof lockParties>>>;

/**
 * Locks the buyer, the seller and, if limits apply, the network until the transaction ends. The
 * buyer's and the network's other bookings wait, so that `claimProduct` counts holds correctly.
 * Deleting or blocking either member waits, too. `bothMayDeal` is false if either is deleted or
 * suspended, or if the buyer is an admin.
 */
export async function lockParties(tx: Tx, { buyer, order, limited }: BookingRequest) {
  const isActive = (party: "buyer" | "seller") =>
    sql<boolean>`(${sql.ref(`${party}.deleted_at`)} is null and ${sql.ref(`${party}.suspended_at`)} is null)`;
  return await tx
    .selectFrom("members as buyer")
    .innerJoin("products", (join) => join.on("products.id", "=", order.bookingProduct._id))
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .where("buyer.id", "=", buyer.id)
    .select("seller.id as sellerId")
    .select(
      sql<boolean>`${isActive("buyer")} and not buyer.is_admin and ${isActive("seller")}`.as(
        "bothMayDeal",
      ),
    )
    .select(pairLock(sql.ref("buyer.id"), sql.ref("seller.id")).as("pair_lock"))
    .$if(limited && order.network !== null, (query) =>
      query.select(lockNetwork(order.network).as("network_lock")),
    )
    .forNoKeyUpdate("buyer")
    .forShare("seller")
    .executeTakeFirst();
}

/** The conditional update is the check: only one concurrent request finds a laptop available. */
export async function claimProduct(
  tx: Tx,
  { buyer, order, at, limited }: BookingRequest,
  listing: Listing,
) {
  const productId = order.bookingProduct._id;
  const hold = { buyer, network: order.network, at };
  return await tx
    .with("claimed", (db) => updateIfAvailable(db, order))
    .selectNoFrom(({ exists, selectFrom }) =>
      exists(selectFrom("claimed").select("id")).as("claimed"),
    )
    .select([
      jsonObjectFrom(selectLiveBooking(tx, productId, at)).as("live"),
      countHolds(tx, hold).as("holds"),
      isBlocked(sql`${buyer.id}::uuid`, sql`${listing.sellerId}::uuid`).as("blocked"),
    ])
    .$if(limited, (query) =>
      query.select([
        jsonObjectFrom(selectEndedHolds(tx, hold)).as("ended"),
        countNetworkHolds(tx, hold).as("networkHolds"),
        selectMayShowContact(tx, hold, listing.sellerId).as("mayShowContact"),
      ]),
    )
    .executeTakeFirstOrThrow();
}

/** Requires the listed price or, for an accepted offer, any lower price. */
function updateIfAvailable(db: QueryCreator<DB>, { bookingProduct, price, accepts }: Order) {
  return db
    .updateTable("products")
    .set({ sales_status: hold.product.to })
    .where("id", "=", bookingProduct._id)
    .where("deleted_at", "is", null)
    .where("sales_status", "=", hold.product.from)
    .where("resale_cents", accepts ? ">" : "=", toCents(price))
    .returning("id");
}

export async function refuseClaim(tx: Tx, productId: string): Promise<never> {
  const product = await tx
    .selectFrom("products")
    .select(["sales_status", "resale_cents"])
    .where("id", "=", productId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow(noLongerListed);
  if (product.sales_status !== "available") throw taken();
  const price = formatPrice(toDollars(product.resale_cents));
  throw new AppError(
    "PRICE_CHANGED",
    `The price is ${price} now. Look at the laptop again before you book it.`,
  );
}

export function taken(): AppError {
  return new AppError("PRODUCT_TAKEN", "Someone else has just booked this laptop.");
}

export const noLongerListed = orNotFound("This laptop is no longer listed.");
