import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { finish } from "../../scripts/run.mjs";
import { load, start } from "./processes.mjs";
import { commonSearches } from "./search-queries.mjs";
import { besideShop, requestText, signedIn } from "./shop.mjs";

/** `npm run bench:search` measures a shop with a million laptops (or `LAPTOPS`). */
async function measureSearch(shop) {
  const client = start("load-client.mjs", "client");
  const requests = commonSearches().map((path) => requestText("GET", path));
  const run = (options) =>
    load(client, { port: shop.port, requests, connections: 1, milliseconds: 8_000, ...options });
  await run({ milliseconds: 3_000 });
  for (const connections of [1, 10])
    print(`searches, ${connections} at once`, await run({ connections }));
  await measureWrites(shop, () => run({ milliseconds: 30_000 }));
  client.disconnect();
}

function print(name, { rate, p50, p95, p99, max, count, statuses, slowest }) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  console.log(
    `${name}: ${rate.toFixed(0)}/s, p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}, slowest ${ms(max)}, ${count} answers`,
    statuses,
  );
  for (const [took, text] of slowest) console.log(`  ${ms(took)} ${decodeURIComponent(text)}`);
}

const writesPerSecond = 20;

/** Measures the cost of edits, and how much they slow down searches. */
async function measureWrites(shop, searches) {
  const listings = await ownListings(shop);
  await printWriteCost(listings, shop);
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

/** Appends `suffix` to the listing's original name. */
async function rename({ id, token, body }, suffix, { site }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const renamed = { ...body, product_name: `${body.product_name} ${suffix}` };
  const sent = request(`${site}/api/products/${id}`, { method: "PUT", headers });
  const [answer] = await once(sent.end(JSON.stringify(renamed)), "response");
  const answered = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`An edit was refused: ${answered}`);
}

async function printWriteCost(listings, shop) {
  const { db } = shop;
  const position = async () =>
    (await db.query("select pg_current_wal_insert_lsn() - '0/0' as at")).rows[0].at;
  const [began, from] = [performance.now(), await position()];
  const some = listings.slice(0, 50);
  for (const listing of some) await rename(listing, "a", shop);
  const [ms, bytes] = [performance.now() - began, (await position()) - from];
  console.log(
    `an edit: ${(ms / some.length).toFixed(1)} ms, ${Math.round(bytes / some.length / 1024)} KB of write-ahead log`,
  );
}

/** Returns a function that stops the edits and returns their number. */
function edit(listings, shop) {
  let [running, made] = [true, 0];
  const all = (async () => {
    const began = performance.now();
    while (running) {
      await rename(listings[made % listings.length], made % 7, shop);
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

await finish(async () => {
  await besideShop(Number(process.env.LAPTOPS ?? 1_000_000), measureSearch);
});
