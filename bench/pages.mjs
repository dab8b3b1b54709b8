import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish, root } from "../scripts/run.mjs";
import { cpuOf, postgresCpuOf } from "./processes.mjs";
import { besideShop } from "./shop.mjs";

const laptops = Number(process.env.LAPTOPS ?? 100_000);
const requests = 600;

/**
 * `npm run bench:pages`: CPU time of a page that no cache has, of the program and of PostgreSQL, one request after the
 * other, for docs/scale.md.
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
  for (const [page, paths] of Object.entries(pages)) {
    const before = [cpuOf(pid, isNode), postgresCpuOf(pid)];
    const bytes = await readAll(site, paths);
    const after = [cpuOf(pid, isNode), postgresCpuOf(pid)];
    const [nodeMs, postgresMs] = after.map((all, index) =>
      Number(((all - before[index]) / paths.length).toPrecision(3)),
    );
    found.push({ page, nodeMs, postgresMs, bytes: Math.round(bytes / paths.length) });
  }
  return found;
}

async function readAll(site, paths) {
  let bytes = 0;
  for (const path of paths) {
    const ask = () => fetch(site + path, { headers: { "accept-encoding": "br" } });
    // The server closes a connection after some time, just when it may be used again.
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
    writeFileSync(join(root, "bench/pages.json"), `${JSON.stringify(run, null, 2)}\n`);
  });
  return 0;
});
