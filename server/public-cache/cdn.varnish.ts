import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { freePort, listen } from "../testing/free-port.ts";
import { listing } from "../testing/marketplace.ts";
import { member, type Person } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";

let nodes: Shop[];
let varnish: ChildProcess;
let folder: string;
let url: string;
let purgeUrl: string;
let seller: Person;

beforeAll(async () => {
  const [port, purgePort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  purgeUrl = `http://127.0.0.1:${purgePort}`;
  const env = { CDN_SECONDS: "600", CDN_PURGE_URL: purgeUrl, TRUST_PROXY: "loopback" };
  const first = await openShop({ env });
  nodes = [first, await openShop({ beside: first, env })];
  folder = await mkdtemp(join(tmpdir(), "secondlap-varnish-"));
  // Varnish runs as another user.
  await chmod(folder, 0o755);
  varnish = await startVarnish(port, first.url, purgePort);
  seller = await member(first, { accountType: "seller" });
});
afterAll(async () => {
  await stopProgram(varnish);
  for (const node of nodes.toReversed()) await node.close();
  await rm(folder, { recursive: true, force: true });
});

async function startVarnish(port: number, of: string, purgePort?: number): Promise<ChildProcess> {
  const file = new URL("../../deploy/varnish/secondlap.vcl", import.meta.url);
  const vcl = (await readFile(file, "utf8")).replace('"3000"', `"${new URL(of).port}"`);
  const path = join(folder, `${port}.vcl`);
  await writeFile(path, vcl);
  const own = ["-s", "malloc,32m", "-p", "timeout_idle=72", "-n", join(folder, String(port))];
  const purge = purgePort === undefined ? [] : ["-a", `purge=127.0.0.1:${purgePort}`];
  const options = ["-F", "-a", `127.0.0.1:${port}`, ...purge, "-f", path, ...own];
  const started = spawn("varnishd", options, { stdio: "ignore" });
  await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/healthz`), { timeout: 30_000 });
  return started;
}

async function startCaddy(of: string): Promise<{ caddy: ChildProcess; site: string }> {
  const site = `http://127.0.0.1:${await freePort()}`;
  const caddy = spawn("caddy", ["run", "--config", "Caddyfile", "--adapter", "caddyfile"], {
    cwd: new URL("../../deploy/compose/", import.meta.url),
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SITE: site,
      NODES: new URL(of).host,
      ADMIN: `127.0.0.1:${await freePort()}`,
      FALLBACK_PORT: String(await freePort()),
    },
    stdio: "ignore",
  });
  await vi.waitFor(() => fetch(`${site}/healthz`), { timeout: 30_000 });
  return { caddy, site };
}

async function stopProgram(started: ChildProcess): Promise<void> {
  const ended = started.exitCode === null && once(started, "exit");
  started.kill();
  await ended;
}

const isHit = ({ headers }: Response) => headers.get("x-varnish")?.includes(" ") === true;

test("Varnish serves public calls from its cache, but browsers still revalidate each time", async () => {
  const id = await listing(seller);
  const path = `/api/products/byId/${id}`;
  await expect.poll(async () => isHit(await fetch(url + path))).toBe(true);
  const answer = await fetch(url + path);
  expect(await answer.json()).toMatchObject({ _id: id });
  expect(answer.headers.get("cache-control")).toBe("public, no-cache");
  expect(answer.headers.get("surrogate-key")).toBeNull();
  const etag = answer.headers.get("etag") ?? "";
  const again = await fetch(url + path, { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
});

test("three seconds after a member's change on either node, Varnish no longer serves the old response", async () => {
  const id = await listing(seller);
  const path = `/api/products/byId/${id}`;
  for (const [index, name] of ["Ada", "Grace", "Mary"].entries()) {
    await expect.poll(async () => isHit(await fetch(url + path))).toBe(true);
    const renamed = await fetch(`${nodes[index % 2]?.url}/api/users`, {
      method: "PUT",
      headers: { cookie: seller.cookie, "content-type": "application/json" },
      body: JSON.stringify({ name, email: seller.email, accountType: "seller" }),
    });
    expect(renamed.status).toBe(200);
    const acknowledged = performance.now();
    const shown = async () =>
      ((await (await fetch(url + path)).json()) as { seller_name: string }).seller_name;
    await expect.poll(shown, { interval: 20 }).toBe(name);
    expect(performance.now() - acknowledged).toBeLessThan(3_000);
    // After three seconds, the second purge has run, so Varnish never serves the old name again.
    await expect.poll(() => performance.now() - acknowledged).toBeGreaterThan(3_000);
    for (let n = 0; n < 5; n += 1) expect(await shown()).toBe(name);
  }
});

test("Varnish never caches a response for a single member", async () => {
  const own = { headers: { authorization: `Bearer ${await seller.token()}` } };
  for (const _ of [1, 2]) expect(isHit(await fetch(`${url}/api/payouts/account`, own))).toBe(false);
  expect((await fetch(`${url}/api/payouts/account`)).status).toBe(401);
});

/** Only a full purge removes this path's response. */
const unchanged = "/api/categories";
/** If accepted, clears the whole cache, because each public response has this tag. */
const purgeAll = { method: "PURGE", headers: { "surrogate-key": "all" } };

test("Varnish rejects purges at the visitors' URL, even through a proxy on the same host", async () => {
  const { caddy, site } = await startCaddy(url);
  onTestFinished(() => stopProgram(caddy));
  await expect.poll(async () => isHit(await fetch(site + unchanged))).toBe(true);
  expect((await fetch(site, purgeAll)).status).toBe(405);
  expect((await fetch(url, purgeAll)).status).toBe(405);
  expect(isHit(await fetch(site + unchanged))).toBe(true);
  expect((await fetch(purgeUrl, purgeAll)).status).toBe(200);
  expect(isHit(await fetch(site + unchanged))).toBe(false);
});

test("the purge URL rejects proxied requests, patterns, and requests that are not purges", async () => {
  const purge = async (headers: Record<string, string>) =>
    (await fetch(purgeUrl, { method: "PURGE", headers })).status;
  await expect.poll(async () => isHit(await fetch(url + unchanged))).toBe(true);
  const proxied = { ...purgeAll.headers, "x-forwarded-for": "203.0.113.7" };
  expect(await purge(proxied)).toBe(403);
  expect(await purge({})).toBe(400);
  for (const key of [".*", "x)|(.*", "x) || (obj.status == 200"])
    expect(await purge({ "surrogate-key": key })).toBe(400);
  expect((await fetch(purgeUrl + unchanged)).status).toBe(405);
  expect(isHit(await fetch(url + unchanged))).toBe(true);
});

test("Varnish removes a visitor's trace headers and forwards the visitor's IP address", async () => {
  const echo = createServer(({ headers }, response) => response.end(JSON.stringify(headers)));
  const behind = await listen(echo);
  onTestFinished(() => void echo.close());
  const port = await freePort();
  const started = await startVarnish(port, `http://127.0.0.1:${behind}`);
  onTestFinished(() => stopProgram(started));
  const traceparent = `00-${"1".repeat(32)}-${"1".repeat(16)}-01`;
  const sent = { traceparent, tracestate: "a=1", "x-forwarded-for": "203.0.113.7" };
  for (const path of ["/laptops", "/readyz"]) {
    const received = await (
      await fetch(`http://127.0.0.1:${port}${path}`, { headers: sent })
    ).json();
    expect(received).toMatchObject({ "x-forwarded-for": "203.0.113.7, 127.0.0.1" });
    expect(received).not.toHaveProperty("traceparent");
    expect(received).not.toHaveProperty("tracestate");
  }
});
