import type { z } from "zod";
import { approval, type ListingStatus } from "#contract/life-cycle.ts";
import { toCents } from "#contract/price.ts";
import {
  type editProduct as editCall,
  futureYearMessage,
  type newProduct,
  type OwnProduct,
  type Product,
} from "#contract/products.ts";
import { mayAct } from "#contract/roles.ts";
import type { ShopSettings } from "#contract/shop-settings.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { lockMember, type Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError, orNotFound } from "../../errors.ts";
import { expireOverdueHold } from "../deals/end-hold.ts";
import { endOffers } from "../deals/end-offers.ts";
import { storeOfferFloor } from "../deals/offer-floor.ts";
import { requireNoContacts, textColumns } from "../masking/listing-contacts.ts";
import { flagListing } from "../reports/flag-listing.ts";
import { indexListings } from "../search-index/index-listings.ts";
import { insertFacts, replaceFacts } from "./facts.ts";
import { readSentPhotos, requirePhotos } from "./listing-photos.ts";
import {
  selectAvailable,
  selectOwnProducts,
  selectProducts,
  toOwnProduct,
  toProduct,
  toProductWithContact,
} from "./product-rows.ts";
import { storeSerialNumber } from "./serial-numbers.ts";

type Listing = z.output<typeof newProduct>;
type Changes = z.output<(typeof editCall)["body"]>;

/**
 * Returns the new id. Throws `SELLER_NOT_VERIFIED`, `ALREADY_LISTED`, any error in
 * listing-photos.ts, and `INVALID_INPUT` for an unknown or hidden category, a future year, or
 * contact details in the facts.
 */
export async function addProduct(deps: Deps, seller: Member, listing: Listing): Promise<string> {
  const at = deps.clock.now();
  const sales_status = firstStatus(seller, deps.shop.get());
  requirePastYear(listing, at);
  requireNoContacts(listing.facts);
  const sent = await readSentPhotos(deps, { ...listing, seller });
  return await transact(deps.db, "addProduct", async (tx) => {
    await lockMember(tx, seller.id, "share");
    await requireCategory(tx, listing.product_categoryId);
    const photos = await requirePhotos(tx, seller, sent);
    const id = newId(at);
    const added = { id, seller_id: seller.id, sales_status, posted_at: at };
    await tx
      .insertInto("products")
      .values({ ...columnsOf(listing), ...photos, ...added })
      .execute();
    await insertFacts(tx, id, listing);
    await storeDetails(tx, deps, { id, listing, seller, at });
    await recordAudit(tx, { at, actor: seller.id, verb: "list", object: "product", objectId: id });
    return id;
  });
}

function firstStatus({ verify }: Member, { selling }: ShopSettings): ListingStatus {
  if (selling.sellers === "verified" && !verify)
    throw new AppError(
      "SELLER_NOT_VERIFIED",
      "Only verified sellers can list laptops here. Write to us, and we'll tell you how to become one.",
    );
  return selling.approval ? approval.from : approval.to;
}

function requirePastYear({ yearOf_purchase = 0 }: Changes, now: Date): void {
  if (yearOf_purchase > now.getUTCFullYear())
    throw fieldError("yearOf_purchase", futureYearMessage(now));
}

/** Locks a category against deletion. `kept`: the category that is accepted even if hidden. */
async function requireCategory(tx: Tx, id: string, kept?: string): Promise<void> {
  const category = await tx
    .selectFrom("categories")
    .select("hidden")
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst();
  if (category && (!category.hidden || id === kept)) return;
  throw fieldError("product_categoryId", "Choose a category.");
}

function columnsOf(listing: Listing) {
  return {
    category_id: listing.product_categoryId,
    ...textColumns(listing),
    condition: listing.condition,
    resale_cents: toCents(listing.resale_price),
    original_cents: toCents(listing.original_price),
    use_duration: listing.use_duration,
    year_of_purchase: listing.yearOf_purchase,
    mobile_number: listing.mobile_number,
  };
}

type Stored = { id: string; listing: Listing; seller: Member; at: Date };

async function storeDetails(tx: Tx, { config, shop }: Deps, { id, listing, seller, at }: Stored) {
  await storeSerialNumber(tx, config, { productId: id, ...listing });
  await storeOfferFloor(tx, { productId: id, floor: listing.floor, at, actor: seller.id });
  await indexListings(tx, [id]);
  await flagListing(tx, id, { at, needsApproval: shop.get().selling.approval });
}

/**
 * Keeps what `changes` leaves out. Throws `NOT_FOUND`, `IN_USE` while held or sold, and the errors
 * of `addProduct` except `SELLER_NOT_VERIFIED`.
 */
export async function editProduct(
  deps: Deps,
  seller: Member,
  { id, changes }: { id: string; changes: Changes },
): Promise<void> {
  const at = deps.clock.now();
  requirePastYear(changes, at);
  requireNoContacts(changes.facts);
  const listed = await requireOwn(deps.db, seller, id);
  await expireOverdueHold(deps, id);
  const { images, img = images?.[0], product_categoryId: category } = changes;
  const sent = img && (await readSentPhotos(deps, { img, images, seller }, listed));
  await transact(deps.db, "editProduct", async (tx) => {
    if (category !== undefined) await requireCategory(tx, category, listed.category_id);
    const before = await lockAvailable(tx, seller, id);
    const photos = sent && (await requirePhotos(tx, seller, { ...sent, listed: before }));
    const stored = await selectProducts(tx).where("products.id", "=", id).executeTakeFirstOrThrow();
    const listing = { ...toProductWithContact(stored), ...changes } as Listing;
    const columns = columnsOf(listing);
    await tx
      .updateTable("products")
      .set({ ...columns, ...photos })
      .where("id", "=", id)
      .execute();
    if (changes.facts !== undefined) await replaceFacts(tx, id, changes);
    await storeDetails(tx, deps, { id, listing, seller, at });
    await endOffers(tx, id, { at, fromCents: columns.resale_cents }).execute();
    const price = { from_cents: before.resale_cents, to_cents: columns.resale_cents };
    if (price.to_cents !== price.from_cents)
      await tx
        .insertInto("price_changes")
        .values({ product_id: id, ...price, changed_at: at })
        .execute();
    await recordAudit(tx, { at, actor: seller.id, verb: "edit", object: "product", objectId: id });
  });
}

async function requireOwn(tx: Tx, seller: Member, id: string) {
  return await tx
    .selectFrom("products")
    .select(["img", "more_images", "sales_status", "category_id"])
    .where("id", "=", id)
    .where("seller_id", "=", seller.id)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow(noSuchProduct);
}

const noSuchProduct = orNotFound("You have no such product.");

const notWhile = {
  booked: "Someone has booked this laptop. You can change the listing if the hold ends.",
  sold: "This laptop is sold, so its listing can't be changed anymore.",
  available: "This listing changed a moment ago. Try again.",
  waiting: "This listing changed a moment ago. Try again.",
};

async function lockAvailable(tx: Tx, seller: Member, id: string) {
  const available = await tx
    .selectFrom("products")
    .select(["resale_cents", "img", "img_preview", "more_images"])
    .where("id", "=", id)
    .where("seller_id", "=", seller.id)
    .where("deleted_at", "is", null)
    .where("sales_status", "in", unbooked)
    .forUpdate()
    .executeTakeFirst();
  if (available) return available;
  const { sales_status } = await requireOwn(tx, seller, id);
  throw new AppError("IN_USE", notWhile[sales_status]);
}

export const unbooked = ["available", "waiting"] as const;

const newest = { at: "products.posted_at", id: "products.id" } as const;

export async function listSellerProducts(
  { db, clock }: Deps,
  email: string,
  paging: Paging,
): Promise<Page<OwnProduct>> {
  const query = selectOwnProducts(db, clock.now())
    .where("seller.email", "=", email)
    .where("seller.deleted_at", "is", null)
    .where("products.deleted_at", "is", null);
  return await newestFirst(query, { ...newest, ...paging }, toOwnProduct);
}

export async function listOwnProductIds(tx: Tx, { id }: Member): Promise<string[]> {
  const rows = await tx
    .selectFrom("products")
    .select("id")
    .where("seller_id", "=", id)
    .where("deleted_at", "is", null)
    .orderBy("posted_at", "desc")
    .orderBy("id", "desc")
    .limit(10_000)
    .execute();
  return rows.map((row) => row.id);
}

export async function listAvailable(
  tx: Tx,
  only: { categoryId: string } | { advertised: true },
  paging: Paging,
): Promise<Page<Product>> {
  const available = selectAvailable(tx);
  const query =
    "categoryId" in only
      ? available.where("products.category_id", "=", only.categoryId)
      : available.where("products.advertise", "=", true);
  return await newestFirst(query, { ...newest, ...paging }, toProduct);
}

/** Throws `NOT_FOUND`, or `STALE` if the flag has changed or the laptop isn't available. */
export async function toggleAdvertise(
  deps: Deps,
  seller: Member,
  { id, advertiseStatus }: { id: string; advertiseStatus: boolean },
): Promise<{ advertise: boolean }> {
  return await transact(deps.db, "toggleAdvertise", async (tx) => {
    const toggled = await tx
      .updateTable("products")
      .set({ advertise: !advertiseStatus })
      .where("id", "=", id)
      .where("seller_id", "=", seller.id)
      .where("deleted_at", "is", null)
      .where("sales_status", "=", "available")
      .where("advertise", "=", advertiseStatus)
      .executeTakeFirst();
    if (toggled.numUpdatedRows === 0n) await refuseToggle(tx, seller, id);
    const at = deps.clock.now();
    const verb = advertiseStatus ? "stop advertising" : "advertise";
    await recordAudit(tx, { at, actor: seller.id, verb, object: "product", objectId: id });
    return { advertise: !advertiseStatus };
  });
}

async function refuseToggle(tx: Tx, seller: Member, id: string): Promise<never> {
  const { sales_status } = await requireManaged(tx, seller, id);
  const message =
    sales_status === "available"
      ? "This changed a moment ago. Check it before you change it again."
      : `Only an available laptop can be advertised; this one is ${sales_status}.`;
  throw new AppError("STALE", message);
}

/** Deletes a listing for its seller or staff who may moderate. Throws `IN_USE` or `NOT_FOUND`. */
export async function deleteProduct(deps: Deps, member: Member, id: string): Promise<void> {
  await requireManaged(deps.db, member, id);
  await expireOverdueHold(deps, id);
  await transact(deps.db, "deleteProduct", async (tx) => {
    const at = deps.clock.now();
    let claim = tx
      .updateTable("products")
      .set({ deleted_at: at, advertise: false })
      .where("id", "=", id)
      .where("deleted_at", "is", null)
      .where("sales_status", "in", unbooked);
    if (!mayModerate(member)) claim = claim.where("seller_id", "=", member.id);
    const claimed = await claim.executeTakeFirst();
    if (claimed.numUpdatedRows === 0n) {
      const { sales_status } = await requireManaged(tx, member, id);
      throw new AppError("IN_USE", `This laptop is ${sales_status} and can't be deleted.`);
    }
    await endOffers(tx, id, { at }).execute();
    await recordAudit(tx, {
      at,
      actor: member.id,
      verb: "delete",
      object: "product",
      objectId: id,
    });
  });
}

async function requireManaged(tx: Tx, member: Member, id: string) {
  let query = tx
    .selectFrom("products")
    .select("sales_status")
    .where("id", "=", id)
    .where("deleted_at", "is", null);
  if (!mayModerate(member)) query = query.where("seller_id", "=", member.id);
  return await query.executeTakeFirstOrThrow(noSuchProduct);
}

function mayModerate({ staffRole }: Member): boolean {
  return mayAct(staffRole, "moderation");
}
