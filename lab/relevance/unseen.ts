import { readFileSync } from "node:fs";
import type pg from "pg";

/** Prices are in dollars. */
type Listing = {
  title: string;
  brand: string;
  description: string;
  condition: string;
  price: number;
  originalPrice: number;
  year: number;
  location: string;
  facts?: Record<string, string | number>;
};

/** `listing` is the index of the listing to find. */
type Sentence = { sentence: string; listing: number };

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`unseen/${name}.json`, import.meta.url), "utf8"));
}

/** Written by someone who had not seen the search, which was not tuned for these texts. */
const listings: Listing[] = read("listings");
const sentences: Sentence[] = read("sentences");

const productId = (index: number) =>
  `01935a00-0000-7000-9001-${(index + 1).toString(16).padStart(12, "0")}`;

export async function insertUnseen(db: pg.Client, seller: string): Promise<void> {
  await db.query("update products set deleted_at = now()");
  await db.query(
    "insert into categories values (gen_random_uuid(), 'Other', '/brands/other.svg', 99)",
  );
  const rows = listings.map((one, index) => ({ ...one, id: productId(index) }));
  await db.query(
    `with l as (
      select * from jsonb_to_recordset($1) as l (id uuid, title text, brand text, condition text, price int,
        "originalPrice" int, location text, year int, description text, facts jsonb)
    ), inserted as (
      insert into products (id, category_id, seller_id, product_name, condition, resale_cents, original_cents,
        use_duration, location, year_of_purchase, mobile_number, description, img, posted_at)
      select l.id, c.id, $2, title,
        l.condition::condition, price * 100, "originalPrice" * 100, 24, l.location, l.year, '5550123', description,
        '/images/none.jpg', now()
      from l join categories c on lower(c.product_category) = lower(case brand
        when 'Microsoft' then 'Microsoft Surface' when 'Toshiba' then 'Other' else brand end)
      returning id
    )
    insert into laptop_facts (product_id, ram_gb, storage_gb, screen_inches, battery_health, cpu, gpu)
    select l.id, (facts->>'ram_gb')::int, (facts->>'storage_gb')::int, (facts->>'screen_inches')::numeric,
      (facts->>'battery_health')::int, facts->>'cpu', facts->>'gpu'
    from l where facts is not null`,
    [JSON.stringify(rows), seller],
  );
}

/** Searches with all sentences. `missed` lists those that don't find their listing first. */
export async function firstRight(search: (sentence: string) => Promise<string[]>) {
  const missed: string[] = [];
  for (const { sentence, listing } of sentences) {
    const found = await search(sentence);
    const place = found.indexOf(productId(listing));
    if (place === 0) continue;
    const first = listings.findIndex((_, index) => productId(index) === found[0]);
    missed.push(
      `${sentence}: ${listings[listing]?.title} is ${place < 0 ? "missing" : `number ${place + 1}`}, after ${listings[first]?.title ?? "nothing"}`,
    );
  }
  return { sentences: sentences.length, missed };
}
