import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

type Booked = { bookingId: string; productId: string };

/** Builds the insert of the booking's listing snapshot (contract: `bookedListing`). */
export function insertSnapshot(tx: Tx, { bookingId, productId }: Booked) {
  return tx
    .insertInto("listing_snapshots")
    .columns(["booking_id", "listing"])
    .expression((select) =>
      select
        .selectFrom("products as p")
        .leftJoin("laptop_facts as f", "f.product_id", "p.id")
        .select([sql<string>`${bookingId}::uuid`.as("booking_id"), listing.as("listing")])
        .where("p.id", "=", productId),
    );
}

const listing = sql<string>`jsonb_build_object(
  'product_name', p.product_name, 'condition', p.condition, 'description', p.description,
  'resale_price', p.resale_cents / 100.0, 'original_price', p.original_cents / 100.0,
  'use_duration', p.use_duration, 'yearOf_purchase', p.year_of_purchase, 'location', p.location,
  'images', to_jsonb(array_prepend(p.img, p.more_images)),
  'facts', coalesce(jsonb_strip_nulls(to_jsonb(f) - 'product_id' - 'origins'), '{}'))`;
