import type { z } from "zod";
import { toCents } from "#contract/price.ts";
import type { newProduct } from "#contract/products.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { expireOverdueHold } from "../deals/end-hold.ts";
import { endOffers } from "../deals/end-offers.ts";
import { storeOfferFloor } from "../deals/offer-floor.ts";
import { flagListing, requireNoContacts, textColumns } from "../reports/flag-listing.ts";
import { indexListings } from "../search-index/index-listings.ts";
import { replaceFacts } from "./facts.ts";
import { readSentPhotos, requirePhotos } from "./listing-photos.ts";
import { requireCategory, requirePastYear, unbooked } from "./products.ts";
import { storeSerialNumber } from "./serial-numbers.ts";

type Changes = z.output<typeof newProduct>;

/**
 * Without `facts`, `images` or `floor`, the facts, the photos after the cover or the lowest price
 * stay. Throws `NOT_FOUND`, `IN_USE` while held or sold, and any error that `addProduct` throws.
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
  const sent = await readSentPhotos(deps, { ...changes, seller }, listed);
  await transact(deps.db, "editProduct", async (tx) => {
    await requireCategory(tx, changes.product_categoryId, listed.category_id);
    const before = await lockAvailable(tx, seller, id);
    const { publicUrl } = deps.config;
    const photos = await requirePhotos(tx, seller, { ...sent, publicUrl, listed: before });
    const to_cents = toCents(changes.resale_price);
    await tx
      .updateTable("products")
      .set({ ...columnsOf(changes), ...photos, resale_cents: to_cents })
      .where("id", "=", id)
      .execute();
    if (changes.facts !== undefined) await replaceFacts(tx, id, changes);
    await storeSerialNumber(tx, deps.config, { productId: id, ...changes });
    await storeOfferFloor(tx, { productId: id, floor: changes.floor, at, actor: seller.id });
    await indexListings(tx, [id]);
    await flagListing(tx, id, at);
    await endOffers(tx, id, { at, fromCents: to_cents }).execute();
    const price = { product_id: id, from_cents: before.resale_cents, to_cents };
    if (to_cents !== before.resale_cents)
      await tx
        .insertInto("price_changes")
        .values({ ...price, changed_at: at })
        .execute();
    await recordAudit(tx, { at, actor: seller.id, verb: "edit", object: "product", objectId: id });
  });
}

function columnsOf(changes: Changes) {
  return {
    category_id: changes.product_categoryId,
    ...textColumns(changes),
    condition: changes.condition,
    original_cents: toCents(changes.original_price),
    use_duration: changes.use_duration,
    year_of_purchase: changes.yearOf_purchase,
    mobile_number: changes.mobile_number,
  };
}

async function requireOwn(tx: Tx, seller: Member, id: string) {
  const own = await tx
    .selectFrom("products")
    .select(["img", "more_images", "sales_status", "category_id"])
    .where("id", "=", id)
    .where("seller_id", "=", seller.id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!own) throw new AppError("NOT_FOUND", "You have no such product.");
  return own;
}

const notWhile = {
  booked: "Someone has booked this laptop. You can change the listing if the hold ends.",
  sold: "This laptop is sold, so its listing can't be changed any more.",
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
