import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { signedIn } from "./shop.mjs";

/** Edits per second while searches are measured. */
const writesPerSecond = 20;

/** Includes how soon an edited listing is found, and how much edits slow down searches. */
export async function measureWrites(shop, { print, searches }) {
  await printSize(shop);
  const listings = await ownListings(shop);
  await printWriteCost(listings, shop);
  await printDelay(listings, shop);
  const rounds = [];
  for (let round = 1; round <= 4; round++) {
    const alone = await searches();
    print("searches alone", alone);
    const stop = edit(listings, shop);
    const beside = await searches();
    print(`searches beside ${await stop()} edits`, beside);
    rounds.push({ alone, beside });
  }
  const p95 = (name) => rounds.reduce((sum, round) => sum + round[name].p95, 0);
  const worse = (100 * p95("beside")) / p95("alone") - 100;
  console.log(`p95 of ${rounds.length} rounds is worse by ${worse.toFixed(0)} %`);
}

async function printSize({ db }) {
  const { rows } = await db.query(`
    select count(*)::integer as listings, pg_relation_size('search_documents') as rows,
      pg_table_size('search_documents') as with_tokens, pg_relation_size('search_documents_tokens_idx') as index,
      pg_relation_size('search_documents_sample_idx') + pg_relation_size('search_documents_sample_tokens_idx') as sample_index,
      (select sum(pg_relation_size(indexrelid)) from pg_index where indrelid = 'search_documents'::regclass
        and pg_get_indexdef(indexrelid) ~ '_(quality|lowest_price|highest_price|posted|saving|place)_idx ')::bigint as order_indexes
    from search_documents`);
  const { listings, ...sizes } = rows[0];
  for (const [name, bytes] of Object.entries(sizes))
    console.log(
      `${name}: ${Math.round(bytes / 2 ** 20)} MB, ${Math.round(bytes / listings)} bytes a listing`,
    );
}

/** `body`: the request body that edits the listing. */
async function ownListings({ db }) {
  const sellers = await signedIn(db, "m.account_type = 'seller' and not m.is_admin", 300);
  const { rows } = await db.query(
    `select distinct on (seller_id) id, seller_id, category_id as "product_categoryId", product_name, condition,
      resale_cents / 100 as resale_price, original_cents / 100 as original_price, use_duration, location,
      year_of_purchase as "yearOf_purchase", mobile_number, description, img
    from products where seller_id = any($1) and sales_status = 'available' and deleted_at is null`,
    [sellers.map(({ id }) => id)],
  );
  const tokens = new Map(sellers.map(({ id, token }) => [id, token]));
  return rows.map(({ id, seller_id, ...body }) => ({ id, token: tokens.get(seller_id), body }));
}

async function change({ id, token, body }, { site }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = request(`${site}/api/products/${id}`, { method: "PUT", headers });
  const [answer] = await once(sent.end(JSON.stringify(body)), "response");
  const answered = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`An edit was refused: ${answered}`);
}

async function printWriteCost(listings, shop) {
  const { db } = shop;
  const position = async () =>
    (await db.query("select pg_current_wal_insert_lsn() - '0/0' as at")).rows[0].at;
  const [began, from] = [performance.now(), await position()];
  const some = listings.slice(0, 50);
  for (const listing of some)
    await change(
      { ...listing, body: { ...listing.body, product_name: `${listing.body.product_name} a` } },
      shop,
    );
  const [ms, bytes] = [performance.now() - began, (await position()) - from];
  console.log(
    `an edit: ${(ms / some.length).toFixed(1)} ms, ${Math.round(bytes / some.length / 1024)} KB of write-ahead log`,
  );
}

async function printDelay(listings, shop) {
  const delays = [];
  for (const [at, listing] of listings.slice(0, 20).entries()) {
    const word = `unique${at}${Date.now()}`;
    await change({ ...listing, body: { ...listing.body, product_name: word } }, shop);
    const began = performance.now();
    for (let total = 0; total === 0; )
      total = (await (await fetch(`${shop.site}/api/search?q=${word}`)).json()).total;
    delays.push(performance.now() - began);
  }
  console.log(`an edit is found at most ${Math.max(...delays).toFixed(0)} ms after its answer`);
}

/** Returns a function that stops the edits and returns how many were made. */
function edit(listings, shop) {
  let [running, made] = [true, 0];
  const all = (async () => {
    const began = performance.now();
    while (running) {
      const listing = listings[made % listings.length];
      const product_name = `${listing.body.product_name} ${made % 7}`;
      await change({ ...listing, body: { ...listing.body, product_name } }, shop);
      made += 1;
      await wait(Math.max(0, began + (made * 1000) / writesPerSecond - performance.now()));
    }
  })();
  return async () => {
    running = false;
    await all;
    return made;
  };
}
