import { createHash } from "node:crypto";
import { sql } from "kysely";
import { doubtsAbout } from "#contract/doubtful-numbers.ts";
import type { FlagReason } from "#contract/flagged-listings.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import { contactsIn } from "../masking/listing-contacts.ts";

/** `evidence`: numbers, the other listing's id, or a hash of contacts or of what is approved. */
type Flag = { reason: FlagReason; evidence: string; other_id?: string };

/** Updates a listing's flags. A dismissed flag stays dismissed (decisions/moderation). */
export async function flagListing(
  tx: Tx,
  id: string,
  { at, needsApproval }: { at: Date; needsApproval: boolean },
): Promise<void> {
  const listing = await readListing(tx, id);
  // The second of two concurrent listings by the same seller, or with the same photo, must see the
  // first. The fixed order prevents deadlocks.
  const shared = [`flags ${listing.seller_id}`, listing.img, ...listing.more_images].toSorted();
  await sql`
    select pg_advisory_xact_lock(hashtextextended(key, 0))
    from unnest(${shared}::text[]) as key`.execute(tx);
  const flags = [
    ...(needsApproval || listing.sales_status === "waiting" ? [approvalOf(listing)] : []),
    ...doubtfulNumbers(listing, at),
    ...contactsOf(listing),
    ...(await findResembling(tx, listing)),
  ];
  await tx
    .deleteFrom("listing_flags")
    .where("product_id", "=", id)
    .where("dismissed_at", "is", null)
    .where(sql`reason || evidence`, "not in", [
      "",
      ...flags.map((flag) => flag.reason + flag.evidence),
    ])
    .execute();
  if (flags.length === 0) return;
  await tx
    .insertInto("listing_flags")
    .values(flags.map((flag) => ({ product_id: id, flagged_at: at, ...flag })))
    // An admin who read the listing before this edit must read it again before approving it.
    .onConflict((conflict) =>
      conflict
        .columns(["product_id", "reason", "evidence"])
        .doUpdateSet({ flagged_at: at })
        .where("listing_flags.dismissed_at", "is", null),
    )
    .execute();
}

type Listing = Awaited<ReturnType<typeof readListing>>;

async function readListing(tx: Tx, id: string) {
  return await tx
    .selectFrom("products")
    .select(["id", "seller_id", "product_name", "description", "img", "more_images"])
    .select(["texts_with_contacts", "sales_status"])
    .select(["use_duration", "year_of_purchase", "resale_cents", "original_cents"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** Approval covers these texts and photos. Changing one flags the listing again. */
function approvalOf({ product_name, description, img, more_images }: Listing): Flag {
  const evidence = hashOf([product_name, description, img, ...more_images]);
  return { reason: "new", evidence };
}

function hashOf(texts: string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}

function doubtfulNumbers(listing: Listing, at: Date): Flag[] {
  const { resale_cents, original_cents, use_duration, year_of_purchase } = listing;
  const stated = {
    resale_price: toDollars(resale_cents),
    original_price: toDollars(original_cents),
    use_duration,
    yearOf_purchase: year_of_purchase,
  };
  const evidence = {
    price: `${resale_cents}/${original_cents}`,
    use: `${use_duration}/${year_of_purchase}`,
  };
  return doubtsAbout(stated, at).map((reason) => ({ reason, evidence: evidence[reason] }));
}

function contactsOf({ texts_with_contacts }: Listing): Flag[] {
  const contacts = contactsIn(texts_with_contacts);
  if (contacts.length === 0) return [];
  return [{ reason: "contact", evidence: hashOf(contacts) }];
}

const maxResembling = 20;

/**
 * Finds other sellers' listings with a photo in common, and the seller's own at the same price with
 * the name or a photo in common. Skips listings already flagged as similar to this one.
 */
async function findResembling(tx: Tx, listing: Listing): Promise<Flag[]> {
  const { id, seller_id, product_name, resale_cents, img, more_images } = listing;
  const photos = sql`array[${sql.join([img, ...more_images])}]::text[]`;
  const isSame = sql<boolean>`
    seller_id = ${seller_id} and resale_cents = ${resale_cents} and lower(product_name) = lower(${product_name})`;
  const { rows } = await sql<{ id: string; is_own: boolean }>`
    with other as (
      select id, seller_id, resale_cents from products
      where deleted_at is null and sales_status <> 'sold' and ${isSame}
      union
      select id, seller_id, resale_cents from products
      where deleted_at is null and sales_status <> 'sold' and img = any(${photos})
      union
      select id, seller_id, resale_cents from products
      where deleted_at is null and sales_status <> 'sold' and more_images <> '{}' and more_images && ${photos}
    )
    select other.id, other.seller_id = ${seller_id} as is_own
    from other join members on members.id = other.seller_id
    where other.id <> ${id} and suspended_at is null
      and (other.seller_id <> ${seller_id} or resale_cents = ${resale_cents})
      and not exists (select from listing_flags where product_id = other.id and other_id = ${id})
    order by other.id limit ${sql.lit(maxResembling)}`.execute(tx);
  return rows.map((other) => ({
    reason: other.is_own ? "duplicate" : "photo",
    evidence: other.id,
    other_id: other.id,
  }));
}
