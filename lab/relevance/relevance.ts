import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely } from "kysely";
import pg from "pg";
import { searchQuery } from "../../contract/search.ts";
import { openDatabase } from "../../server/db/database.ts";
import { startEmbeddedPostgres } from "../../server/db/embedded-postgres/embedded-postgres.ts";
import { migrate } from "../../server/db/migrate.ts";
import type { DB } from "../../server/db/schema.ts";
import type { Deps } from "../../server/deps.ts";
import { search } from "../../server/features/search/search.ts";
import { refreshVocabulary } from "../../server/features/search/typos-and-suggestions.ts";
import { indexStaleListings } from "../../server/features/search-index/index-listings.ts";
import { makeListings, type Truth } from "./listings.ts";
import { type Kind, kinds, makeQueries, type Query } from "./queries.ts";
import { type Labelled, slotFigures } from "./slot-figures.ts";
import { firstRight, insertUnseen } from "./unseen.ts";

/**
 * The search's author generated these listings and queries, but did not look at the held-out seed's
 * queries while developing the search.
 */
const sizes = { listings: 2_400, queriesPerKind: 200 };
/** `npm run relevance -- 90210`: another held-out seed. `-- filters`: only hand-written queries. */
const seeds = { listings: 11, tuned: 21, heldOut: Number(process.argv[2]) || 77 };

/**
 * Each list was labeled by hand before the parser was tried on it. "At least 16 GB" means every
 * common size from 16 GB up. A negation sets no filter.
 */
const labelled: Record<string, Labelled[]> = JSON.parse(
  await readFile(new URL("./labelled.json", import.meta.url), "utf8"),
);

type Ranked = { ndcg: number; recall: number; first: number };

function ndcg(grades: number[], all: number[]): number {
  const gain = (list: number[]) =>
    list.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
  const best = gain(all.toSorted((a, b) => b - a));
  return best === 0 ? 1 : gain(grades) / best;
}

function rate(query: Query, found: Truth[], listings: Truth[]): Ranked | undefined {
  const all = listings.map(query.judge);
  const right = all.filter((grade) => grade === 3).length;
  // Without a full match among the listings, the query doesn't count.
  if (right === 0) return undefined;
  const grades = found.map(query.judge);
  const reached = grades.slice(0, 100).filter((grade) => grade === 3).length;
  return {
    ndcg: ndcg(grades, all),
    recall: reached / Math.min(100, right),
    first: grades[0] === 3 ? 1 : 0,
  };
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}

type Engine = (text: string) => Promise<number[]>;

async function measure(engine: Engine, queries: Query[], listings: Truth[]) {
  const byKind = new Map<Kind, Ranked[]>(kinds.map((kind) => [kind, []]));
  for (const query of queries) {
    const found = (await engine(query.text)).map((id) => listings[id] as Truth);
    const rated = rate(query, found, listings);
    if (rated) byKind.get(query.kind)?.push(rated);
  }
  return byKind;
}

const seller = "01935a00-0000-7000-8000-0000000000aa";

async function insert(db: pg.Client, listings: Truth[]): Promise<void> {
  await db.query(
    `insert into members (id, name, email, account_type, created_at, confirmed_at)
    values ($1, 'Grace Hopper', 'grace@example.com', 'seller', now(), now())`,
    [seller],
  );
  await db.query(
    `insert into products (id, category_id, seller_id, product_name, condition, resale_cents, original_cents,
      use_duration, location, year_of_purchase, mobile_number, description, img, posted_at)
    select ('01935a00-0000-7000-9000-' || lpad(to_hex(l.id), 12, '0'))::uuid, c.id, $2, l.name,
      l.condition::condition, l.dollars * 100, l.dollars * 250, 24, l.city, l.year, '5550123', l.description,
      '/images/none.jpg', now() - l.id * interval '1 hour'
    from jsonb_to_recordset($1) as l (id int, name text, brand text, condition text, dollars int, city text,
      year int, description text)
    join categories c on c.product_category = case l.brand when 'Microsoft' then 'Microsoft Surface' else l.brand end`,
    [JSON.stringify(listings.map(({ model, ...one }) => ({ ...one, brand: model.brand }))), seller],
  );
}

function numberOf(id: string): number {
  return Number.parseInt(id.slice(-12), 16);
}

/** Searches with PostgreSQL's own search. `&` requires every word, and `|` any word. */
function tsRank(db: pg.Client, operator: "&" | "|"): Engine {
  return async (text) => {
    const { rows } = await db.query(
      `with q as (select replace(plainto_tsquery('english', $1)::text, '&', $2)::tsquery as query)
      select id from plain_texts, q
      where words @@ query order by ts_rank(words, query) desc, id limit 100`,
      [text, operator],
    );
    return rows.map(({ id }) => numberOf(id));
  };
}

async function run(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "secondlap-relevance-"));
  const postgres = await startEmbeddedPostgres({ dataDir, report: console.error });
  await migrate(postgres.url);
  const { db, pool } = openDatabase(postgres.url);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await compare({ db, client });
    await compareUnseen({ db, client });
  } finally {
    await client.end();
    await pool.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function depsOf(db: Kysely<DB>): Deps {
  return { db, config: { searchTimeoutMs: 5_000 } } as Deps;
}

type Databases = { db: Kysely<DB>; client: pg.Client };

async function compareUnseen({ db, client }: Databases): Promise<void> {
  const deps = depsOf(db);
  await insertUnseen(client, seller);
  await indexStaleListings(deps);
  await refreshVocabulary(deps);
  const { sentences, missed } = await firstRight(async (q) => {
    const { items } = await search(deps, db, searchQuery.parse({ q, limit: 10 }));
    return items.map(({ _id }) => _id);
  });
  const share = (100 * (sentences - missed.length)) / sentences;
  console.log(
    `written without having seen the search: ${sentences} sentences, first right ${share.toFixed(1)} %`,
  );
  for (const one of missed) console.log(`  ${one}`);
}

async function compare({ db, client }: Databases): Promise<void> {
  const deps = depsOf(db);
  const listings = makeListings(sizes.listings, seeds.listings);
  await insert(client, listings);
  await indexStaleListings(deps);
  await refreshVocabulary(deps);
  await client.query(
    `create temp table plain_texts as
    select id, to_tsvector('english', product_name || ' ' || description || ' ' || location) as words from products`,
  );
  const ours: Engine = async (q) => {
    const { items } = await search(deps, deps.db, searchQuery.parse({ q, limit: 100 }));
    return items.map(({ _id }) => numberOf(_id));
  };
  for (const [part, seed] of [
    ["tuned on", seeds.tuned],
    ["held out", seeds.heldOut],
  ] as const) {
    const queries = makeQueries(sizes.queriesPerKind, seed);
    const engines = { ours, every: tsRank(client, "&"), any: tsRank(client, "|") };
    const [own, every, any] = [
      await measure(engines.ours, queries, listings),
      await measure(engines.every, queries, listings),
      await measure(engines.any, queries, listings),
    ];
    print(part, { own, every, any });
    const labelled = queries.flatMap(({ text, slots }) => (slots ? [{ text, slots }] : []));
    printFilters(`${part}, sentences made by a program`, labelled);
  }
}

function compareFilters(): void {
  for (const [list, queries] of Object.entries(labelled)) printFilters(`by hand, ${list}`, queries);
}

function printFilters(name: string, queries: Labelled[]): void {
  const { f1, wrong, differences } = slotFigures(queries);
  console.log(
    `${name}: ${queries.length} labelled queries, slot F1 ${f1.toFixed(3)}, with a wrong filter ${(100 * wrong).toFixed(1)} %`,
  );
  for (const { text, ...difference } of differences)
    console.log(`  ${text}: ${JSON.stringify(difference)}`);
}

type Measured = Record<"own" | "every" | "any", Map<Kind, Ranked[]>>;

function print(part: string, { own, every, any }: Measured): void {
  console.log(`${part}: ${sizes.listings} listings, all synthetic`);
  const columns = [
    "kind",
    "queries",
    "nDCG@10",
    "recall@100",
    "first right",
    "ts_rank, every word",
    "ts_rank, any word",
  ];
  console.log(columns.map((name) => name.padEnd(20)).join(""));
  for (const kind of [...kinds, "all"] as const) {
    const of = (from: Map<Kind, Ranked[]>) =>
      kind === "all" ? [...from.values()].flat() : (from.get(kind) ?? []);
    const figures = of(own);
    const cells = [
      ...[kind, figures.length, mean(figures.map((one) => one.ndcg)).toFixed(3)],
      ...[
        mean(figures.map((one) => one.recall)).toFixed(3),
        mean(figures.map((one) => one.first)).toFixed(3),
      ],
      ...[every, any].map((from) => mean(of(from).map((one) => one.ndcg)).toFixed(3)),
    ];
    console.log(cells.map((cell) => String(cell).padEnd(20)).join(""));
  }
}

compareFilters();
if (process.argv[2] !== "filters") await run();
