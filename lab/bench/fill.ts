import { readFile } from "node:fs/promises";
import type pg from "pg";
import { documentOf } from "../../server/features/search-index/index-listings.ts";
import { documentVersion } from "../../server/features/search-index/listing-document.ts";
import { placeOfListing } from "../../server/features/search-index/places.ts";

const listingsFile = new URL("../relevance/unseen/listings.json", import.meta.url);

/** Fills an empty, migrated shop. */
export async function fill(client: pg.Client, laptops: number): Promise<void> {
  const sizes = { laptops, members: Math.ceil(laptops / 5), bookings: Math.round(laptops * 0.3) };
  const listings: { description: string }[] = JSON.parse(await readFile(listingsFile, "utf8"));
  const descriptions = JSON.stringify(listings.map(({ description }) => description));
  await client.query("set statement_timeout = 0");
  for (const [name, value] of Object.entries({ ...sizes, descriptions }))
    await client.query("select set_config($1, $2, false)", [`fill.${name}`, String(value)]);
  await client.query(await readFile(new URL("./fill.sql", import.meta.url), "utf8"));
  await fillSearch(client);
  await client.query("vacuum analyze");
}

/** Writes search documents as the program would, but parses each text once and indexes last. */
async function fillSearch(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`
    select distinct product_name as name, description, product_category as category
    from products join categories on categories.id = category_id`);
  const unread = { id: null, location: "", priceCents: 90_000, yearOfPurchase: 0 };
  const texts = rows.map((row) => ({ ...documentOf({ ...row, ...unread }), ...row }));
  await client.query(`
    create temp table texts as select * from jsonb_to_recordset('[]') as t (name text, description text,
      category text, tokens text, processor smallint, graphics smallint, ram smallint,
      storage smallint, screen smallint, battery smallint, model text, line text)`);
  for (let at = 0; at < texts.length; at += 2_000)
    await client.query(
      "insert into texts select * from jsonb_populate_recordset(null::texts, $1)",
      [JSON.stringify(texts.slice(at, at + 2_000))],
    );
  const locations = await client.query("select distinct location from products");
  const towns = locations.rows.map(({ location }) => ({
    location,
    id: placeOfListing(location)?.id,
  }));
  await client.query(
    `create temp table towns as
    select * from jsonb_to_recordset($1) as t (location text, id integer)`,
    [JSON.stringify(towns)],
  );
  const indexes = await client.query(`
    select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as sql from pg_index
    where indrelid = 'search_documents'::regclass and not indisprimary`);
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
  // Without statistics, PostgreSQL 15 compares every listing with every text.
  await client.query("analyze texts, towns");
  await client.query(insertDocuments, [documentVersion]);
  await client.query("set maintenance_work_mem = '256MB'");
  for (const { sql } of indexes.rows) await client.query(sql);
  await client.query("reset maintenance_work_mem");
  await client.query("alter table products enable trigger products_search_inserted");
  await client.query("drop table texts, towns");
}

const insertDocuments = `
  insert into search_documents (product_id, version, listed, price_cents, saving, posted_at, category, condition,
    year, verified, text_length, tokens, processor, graphics, ram, storage, screen, battery,
    place, model, line)
  select p.id, $1, p.sales_status = 'available' and p.deleted_at is null and m.suspended_at is null,
    p.resale_cents, search_saving(p.resale_cents, p.original_cents), p.posted_at, c.number,
    array_position(array['Excellent', 'Good', 'Fair'], p.condition::text), p.year_of_purchase, m.verify,
    length(p.description),
    t.tokens::tsvector
      || array_to_tsvector(array_remove(array[lower(p.location), '@' || lower(p.location), p.year_of_purchase::text,
        case when p.resale_cents <= 30000 then 'usecheap' end,
        case when p.resale_cents <= 60000 then 'usestudent' end], null)),
    t.processor, t.graphics, t.ram, t.storage, t.screen, t.battery,
    towns.id, t.model, t.line
  from products p
  join members m on m.id = p.seller_id
  join categories c on c.id = p.category_id
  join towns using (location)
  join texts t on (t.name, t.description, t.category) = (p.product_name, p.description, c.product_category)`;
