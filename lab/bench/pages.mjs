import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { finish, root } from "../../scripts/run.mjs";
import { cpuOf, postgresCpuOf } from "./processes.mjs";
import { besideShop } from "./shop.mjs";

const laptops = Number(process.env.LAPTOPS ?? 100_000);
const requests = 600;
/** How many times the lists are purged and rendered again. */
const rounds = 30;
/** The wait after a purge: changes reach everyone within a second (decisions/public-cache). */
const purgedMs = 1_300;

/**
 * `npm run bench:pages`: measures the CPU time of the program and of PostgreSQL for an uncached
 * page, one request at a time, for docs/scale.md.
 */
async function measurePages({ site, pid, db }) {
  const ids = async (query) => (await db.query(query)).rows.map(({ id }) => id);
  const listed = await ids(
    `select id from products where deleted_at is null and sales_status = 'available' order by random() limit ${2 * requests + 100}`,
  );
  const sellers = await ids(
    `select distinct seller_id as id from products p join members m on m.id = seller_id
      where m.deleted_at is null and m.suspended_at is null limit ${requests}`,
  );
  const words = ["thinkpad", "macbook 16gb", "i7 under $500", "xps leeds", "zenbook 512gb"];
  await readAll(
    site,
    listed.slice(-100).map((id) => `/laptops/${id}`),
  );
  const pages = {
    "laptop, page": listed.slice(0, requests).map((id) => `/laptops/${id}`),
    "laptop, JSON": listed.slice(requests, 2 * requests).map((id) => `/api/products/byId/${id}`),
    "seller, page": sellers.map((id) => `/sellers/${id}`),
    "search, page": Array.from(
      { length: 100 },
      (_, number) =>
        `/search?${new URLSearchParams({ q: words[number % 5], maxPrice: 300 + number })}`,
    ),
  };
  const found = [];
  for (const [page, paths] of Object.entries(pages)) found.push(await measure(page, [paths]));
  const categories = await ids("select distinct category_id as id from products");
  const lists = {
    "category, page": categories.map((id) => `/categoryProducts/${id}`),
    Home: ["/"],
  };
  for (const [page, paths] of Object.entries(lists)) {
    await readAll(site, paths);
    const purge = () => purgeLists(db, categories);
    found.push(await measure(page, Array(rounds).fill(paths), purge));
  }
  return found;

  /** The CPU time of one page, without the cost of `prepare` before each round. */
  async function measure(page, all, prepare = () => {}) {
    const used = [0, 0];
    let bytes = 0;
    for (const paths of all) {
      await prepare();
      const before = [cpuOf(pid, isNode), postgresCpuOf(pid)];
      bytes += await readAll(site, paths);
      for (const [index, now] of [cpuOf(pid, isNode), postgresCpuOf(pid)].entries())
        used[index] += now - before[index];
    }
    const count = all.flat().length;
    const [nodeMs, postgresMs] = used.map((ms) => Number((ms / count).toPrecision(3)));
    return { page, nodeMs, postgresMs, bytes: Math.round(bytes / count) };
  }
}

/** Purges the lists as new listings would. Waits until no cache serves an old response. */
async function purgeLists(db, categories) {
  const tags = ["advertised", ...categories.map((id) => `category:${id}`)];
  await db.query("insert into public_changes (tags) values ($1)", [tags]);
  await wait(purgedMs);
}

async function readAll(site, paths) {
  let bytes = 0;
  for (const path of paths) {
    const ask = () => fetch(site + path, { headers: { "accept-encoding": "br" } });
    // Retries, because the server may close an idle connection just as the request is sent.
    const answer = await ask().catch(ask);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    bytes += Number(answer.headers.get("content-length") ?? 0);
    await answer.arrayBuffer();
  }
  return bytes;
}

const isNode = (command) => command.includes("server/main.ts");

await finish(async () => {
  await besideShop(laptops, async (shop) => {
    const pages = await measurePages(shop);
    console.table(pages);
    const run = { at: new Date().toISOString().slice(0, 10), laptops, pages };
    writeFileSync(join(root, "lab/bench/pages.json"), `${JSON.stringify(run, null, 2)}\n`);
  });
  return 0;
});
