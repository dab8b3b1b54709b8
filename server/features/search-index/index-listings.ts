import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { graphics, processors } from "./dictionary.ts";
import {
  documentVersion,
  type Listing,
  listingDocument,
  tsvectorText,
} from "./listing-document.ts";
import { modelGroups } from "./model-groups.ts";
import { placeOfListing } from "./places.ts";

const batchSize = 500;

export async function indexStaleListings({ db }: Deps): Promise<number> {
  for (let total = 0; ; ) {
    const written = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ product_id: string }>`
        select product_id from search_documents where version < ${documentVersion}
        limit ${sql.lit(batchSize)} for update skip locked`.execute(tx);
      const ids = rows.map(({ product_id }) => product_id);
      if (ids.length > 0) await indexListings(tx, ids);
      return ids.length;
    });
    total += written;
    if (written < batchSize) return total;
  }
}

type Row = Listing & { id: string };

export async function indexListings(tx: Tx, productIds: string[]): Promise<void> {
  const { rows } = await sql<Row>`
    select products.id, product_name as name, description, location, product_category as category,
      resale_cents as "priceCents", year_of_purchase as "yearOfPurchase",
      (select to_jsonb(laptop_facts) from laptop_facts where product_id = products.id) as facts
    from products join categories on categories.id = category_id
    where products.id = any(${productIds}::uuid[])`.execute(tx);
  const documents = rows.map(documentOf);
  await sql`
    update search_documents d set version = ${documentVersion}, tokens = new.tokens,
      processor = new.processor, graphics = new.graphics, ram = new.ram, storage = new.storage,
      screen = new.screen, battery = new.battery, place = new.place,
      model = new.model, line = new.line
    from jsonb_populate_recordset(null::search_documents, ${JSON.stringify(documents)}::jsonb) as new
    where d.product_id = new.product_id`.execute(tx);
}

/** Returns a listing's columns of `search_documents` that triggers don't set. */
export function documentOf({ id: product_id, ...listing }: Row) {
  const document = listingDocument(listing);
  const { brand, processor, graphics: card, ram, storage, screen, battery } = document.facets;
  const place = placeOfListing(listing.location);
  const { name, facts } = listing;
  const groups = brand && modelGroups({ name, brand, modelLine: facts?.model_line });
  return {
    product_id,
    tokens: tsvectorText(document),
    processor: numberOf(processors, processor),
    graphics: numberOf(graphics, card),
    ram,
    storage,
    screen: screen && Math.round(screen * 10),
    battery,
    place: place?.id,
    model: groups?.model,
    line: groups?.line,
  };
}

function numberOf<T>(names: readonly T[], name: T | undefined): number | undefined {
  return name === undefined ? undefined : names.indexOf(name) + 1;
}
