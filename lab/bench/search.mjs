import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { finish } from "../../scripts/run.mjs";
import { openDatabase } from "../../server/db/database.ts";
import {
  activeFilters,
  hasTokens,
  wordsQuery,
} from "../../server/features/search/active-filters.ts";
import { orderOf, readBest } from "../../server/features/search/matches.ts";
import { resolveNear } from "../../server/features/search/near.ts";
import { parseQuery } from "../../server/features/search/parse-query.ts";
import { load, start } from "./processes.mjs";
import {
  adversarialQueries,
  commonSearches,
  inEveryOrder,
  rankedWords,
  typedBeginnings,
  unseenSearches,
} from "./search-queries.mjs";
import { besideShop, requestText, signedIn } from "./shop.mjs";

/** `npm run bench:search` measures a shop with a million laptops (or `LAPTOPS`). */
async function measureSearch(shop) {
  const client = start("load-client.mjs", "client");
  const run = (paths, options) =>
    load(client, {
      port: shop.port,
      requests: paths.map((path) => requestText("GET", path)),
      connections: 1,
      milliseconds: 8_000,
      ...options,
    });
  await run(commonSearches(), { milliseconds: 3_000 });
  for (const connections of [1, 10])
    print(`searches, ${connections} at once`, await run(commonSearches(), { connections }));
  for (const connections of [1, 10])
    print(`unseen, ${connections} at once`, await run(unseenSearches(), { connections }));
  await run(typedBeginnings, { milliseconds: 500 });
  print("suggestions", await run(typedBeginnings, { milliseconds: 3_000 }));
  const adversarial = inEveryOrder(adversarialQueries(500));
  print("adversarial", await run(adversarial, { milliseconds: 600_000, once: true }));
  await measureAgreement(shop);
  const searches = () => run(commonSearches(), { milliseconds: 30_000 });
  await measureWrites(shop, searches);
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

const shown = 24;

/** Counts how many of the first 24 results are also among the first 24 of a full, slow ranking. */
async function measureAgreement({ site, databaseUrl }) {
  const { db, pool } = openDatabase(databaseUrl, { statementTimeoutMs: 0 });
  let [same, all] = [0, 0];
  for (const q of rankedWords) {
    const words = `q=${encodeURIComponent(q)}`;
    const response = await fetch(`${site}/api/search?${words}&limit=${shown}`);
    const answer = await response.json();
    if (!response.ok) throw new Error(`A search for ${q} was refused: ${JSON.stringify(answer)}`);
    // Corrected and loosened searches search for something else.
    if (answer.corrected.length > 0 || answer.loosened) continue;
    const wanted = await rankAll(db, q);
    const got = new Set(answer.items.map(({ _id }) => _id));
    const agreed = wanted.filter((id) => got.has(id)).length;
    console.log(`  ${q}: ${agreed} of ${wanted.length}, ${answer.total} matches`);
    same += agreed;
    all += wanted.length;
  }
  await pool.end();
  console.log(`agreement of the first ${shown}: ${((100 * same) / all).toFixed(1)} %`);
}

/** Ranks every match. A broad search reads and ranks only some. */
async function rankAll(db, q) {
  const parsed = parseQuery(q);
  const place = resolveNear(parsed.filters);
  const words = wordsQuery(parsed);
  const filters = activeFilters({ ...parsed.filters, place });
  const conditions = [
    sql`d.listed`,
    ...words.every.map(hasTokens),
    ...words.none.map((query) => sql`not ${hasTokens(query)}`),
    ...filters.map(({ test }) => test),
  ];
  const search = { words, filters, place, order: orderOf("relevance", place) };
  const page = { offset: 0, limit: shown };
  const byWords = words.every.length > 0;
  const best = await readBest(db, search, { conditions, page, byWords });
  return best.map(({ product_id }) => product_id);
}

const writesPerSecond = 20;

/** Measures edits: their cost, how soon they are found, and how much they slow down searches. */
async function measureWrites(shop, searches) {
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

/** Returns a function that stops the edits and returns their number. */
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

await finish(async () => {
  await besideShop(Number(process.env.LAPTOPS ?? 1_000_000), measureSearch);
});
