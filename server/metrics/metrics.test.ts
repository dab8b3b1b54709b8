import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { expect } from "vitest";
import { listCategoryProducts } from "#contract/categories.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { shopTest } from "../testing/fixtures.ts";
import { freePort } from "../testing/free-port.ts";
import { keepCacheCurrent } from "../testing/hold-reads.ts";
import { bookLaptop, listing } from "../testing/marketplace.ts";
import { metricOf, shopMetricOf, valueIn } from "../testing/metrics.ts";
import { anyCategory, createVisitor } from "../testing/people.ts";
import { openTestDatabase } from "../testing/test-connections.ts";
import { Metrics, serveMetrics } from "./metrics.ts";

const test = shopTest();

test("requests are counted by method, route pattern and status, never by URL, and health checks are not counted", async ({
  shop,
  seller,
}) => {
  keepCacheCurrent(shop);
  const product = await listing(seller);
  const visitor = createVisitor(shop);
  const route = "/api/products/byId/:id";
  const read = { method: "GET", route, status: 200 };
  const before = await metricOf(shop, "secondlap_http_requests_total", read);
  for (const probe of ["/healthz", "/readyz"]) await fetch(shop.url + probe);
  // The second response is a cache hit, which Fastify does not see.
  for (const _ of [1, 2]) await visitor.call(readProduct, { params: { id: product } });
  await fetch(`${shop.url}/api/no/${product}`, { method: "PATCH" });
  await fetch(`${shop.url}/api/no/${product}?email=ada@example.com`);
  const counted = (labels: object) =>
    metricOf(shop, "secondlap_http_requests_total", { ...labels });
  await expect.poll(() => counted(read)).toBe(before + 2);
  await expect.poll(() => counted({ method: "GET", route: "none", status: 404 })).toBe(1);
  await expect.poll(() => counted({ method: "PATCH", route: "none", status: 404 })).toBe(1);
  const timed = { method: "GET", route };
  expect(await metricOf(shop, "secondlap_http_request_seconds_count", timed)).toBe(before + 1);
  expect(await metricOf(shop, "secondlap_http_request_seconds_sum", timed)).toBeGreaterThan(0);
  const text = await shop.deps.metrics.text();
  for (const secret of [
    product,
    "ada@",
    seller.email,
    seller.name,
    seller.id,
    "/no/",
    "healthz",
    "readyz",
  ])
    expect(text).not.toContain(secret);
});

test("a metric shows how late timers run while the process is busy", async ({ shop }) => {
  const busyUntil = performance.now() + 400;
  while (performance.now() < busyUntil);
  const late = () => metricOf(shop, "secondlap_event_loop_delay_seconds", { quantile: 1 });
  await expect.poll(late).toBeGreaterThan(0.3);
});

test("metrics count cache hits and cache misses separately", async ({ shop }) => {
  keepCacheCurrent(shop);
  const visitor = createVisitor(shop);
  const read = (result: string) =>
    metricOf(shop, "secondlap_public_cache_requests_total", { result });
  const before = { hits: await read("hit"), misses: await read("miss") };
  const id = await anyCategory(shop);
  const list = () => visitor.call(listCategoryProducts, { params: { id }, query: { limit: 7 } });
  await list();
  expect(await read("miss")).toBe(before.misses + 1);
  await list();
  expect([await read("hit"), await read("miss")]).toEqual([before.hits + 1, before.misses + 1]);
  expect(await metricOf(shop, "secondlap_public_cache_bytes")).toBeGreaterThan(1_000);
});

test("metrics show the database connections in use, and the requests waiting for a connection", async ({
  shop,
}) => {
  const { pool, deps } = shop;
  await deps.metrics.text();
  const value = async (name: string, labels = {}) =>
    valueIn(await deps.metrics.registry.getSingleMetricAsString(name), name, labels);
  const busy = { state: "busy" };
  expect(await value("secondlap_database_waiting")).toBe(0);
  const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
  const waiting = pool.connect();
  expect(await value("secondlap_database_waiting")).toBe(1);
  expect(await value("secondlap_database_connections", busy)).toBe(10);
  expect(await value("secondlap_database_connections_limit")).toBe(10);
  // A scrape that gets no connection returns metrics before the scraper gives up.
  const scraper = new Metrics({ ...deps, pool });
  expect(valueIn(await scraper.text(), "secondlap_database_waiting")).toBeGreaterThan(1);
  scraper.close();
  for (const client of clients) client.release();
  (await waiting).release();
  await expect.poll(() => value("secondlap_database_connections", busy)).toBe(0);
});

test("metrics count live holds, overdue holds, and committed state changes by object and verb", async ({
  shop,
  seller,
  buyer,
}) => {
  const holds = () => shopMetricOf(shop, "secondlap_holds");
  const overdue = () => shopMetricOf(shop, "secondlap_holds_overdue");
  const before = await holds();
  await bookLaptop(buyer, await listing(seller));
  expect([await holds(), await overdue()]).toEqual([before + 1, 0]);
  const booked = { object: "booking", verb: "hold" };
  expect(await metricOf(shop, "secondlap_state_changes_total", booked)).toBeGreaterThan(0);
  // Without a worker, no job ends the hold.
  shop.clock.advance(24 * 60 + 6);
  expect(await overdue()).toBeGreaterThan(0);
});

test("if PostgreSQL does not answer, metrics show it as down and still include the node's own values", async ({
  shop,
}) => {
  await expect.poll(() => shopMetricOf(shop, "secondlap_database_up")).toBe(1);
  const { db, pool } = openTestDatabase(`postgres://127.0.0.1:${await freePort()}/none`, 1);
  const cut = { deps: { ...shop.deps, db }, pool };
  expect(await shopMetricOf(cut, "secondlap_database_up")).toBe(0);
  expect(await shopMetricOf(cut, "secondlap_public_cache_bytes")).toBeGreaterThan(0);
  await pool.end();
});

test("metrics show PostgreSQL as up while queries about the shop are slow", async ({ shop }) => {
  const { db, pool } = openTestDatabase(shop.databaseUrl, 1);
  const scraper = new Metrics({ ...shop.deps, pool: shop.pool });
  const up = async () => valueIn(await scraper.text(), "secondlap_database_up");
  await db.transaction().execute(async (tx) => {
    await sql`lock table ledger_differences in access exclusive mode`.execute(tx);
    await expect.poll(up).toBe(1);
  });
  scraper.close();
  await pool.end();
});

test("metrics are served on a separate port, which serves nothing else", async ({ shop }) => {
  const port = await freePort();
  const stop = await serveMetrics(shop.deps.metrics, { host: "127.0.0.1", port });
  const url = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${url}/metrics`);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await answer.text()).toContain("# TYPE secondlap_http_requests_total counter");
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: "POST" })).status).toBe(404);
  expect((await fetch(`${shop.url}/metrics`)).status).toBe(404);
  await stop();
  await expect(fetch(`${url}/metrics`)).rejects.toThrow();
});

test("the alerts and the dashboard use only existing metrics, and each alert is tested", async ({
  shop,
}) => {
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const [alerts, tests, dashboard] = await Promise.all([
    read("deploy/prometheus/alerts.yml"),
    read("deploy/prometheus/alerts.test.yml"),
    read("deploy/grafana/secondlap.json"),
  ]);
  const known = shop.deps.metrics.registry.getMetricsAsArray().map(({ name }) => name);
  const namesIn = (text = "") =>
    (text.match(/secondlap_\w+/g) ?? []).map((name) => name.replace(/_bucket$/, ""));
  expect(namesIn(alerts).filter((name) => !known.includes(name))).toEqual([]);
  expect([...new Set(namesIn(dashboard))].toSorted()).toEqual(known.toSorted());
  const alertNames = [...(alerts ?? "").matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(alertNames).toHaveLength(20);
  for (const name of alertNames)
    expect(tests).toMatch(new RegExp(`alertname: ${name}\\n +eval_time: \\w+\\n +exp_alerts`));
});
