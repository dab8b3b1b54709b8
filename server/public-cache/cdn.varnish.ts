import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../testing/free-port.ts";
import { listLaptop } from "../testing/marketplace.ts";
import { createMember, type Person } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";

let nodes: Shop[];
let varnish: ChildProcess;
let folder: string;
let url: string;
let seller: Person;

/** Two nodes behind Varnish with deploy/varnish/secondlap.vcl. */
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = { CDN_SECONDS: "600", CDN_PURGE_URL: url, TRUST_PROXY: "loopback" };
  const first = await openShop({ env });
  nodes = [first, await openShop({ beside: first, env })];
  folder = await mkdtemp(join(tmpdir(), "secondlap-varnish-"));
  // Varnish works as another user.
  await chmod(folder, 0o755);
  const vcl = await readFile(
    new URL("../../deploy/varnish/secondlap.vcl", import.meta.url),
    "utf8",
  );
  const shopVcl = vcl.replace('"3000"', `"${new URL(first.url).port}"`);
  await writeFile(join(folder, "shop.vcl"), shopVcl);
  const own = ["-s", "malloc,32m", "-p", "timeout_idle=72"];
  const options = ["-a", `127.0.0.1:${port}`, "-f", join(folder, "shop.vcl"), ...own];
  varnish = spawn("varnishd", ["-F", "-n", join(folder, "work"), ...options], { stdio: "ignore" });
  await vi.waitFor(() => fetch(`${url}/healthz`), { timeout: 30_000 });
  seller = await createMember(first, { accountType: "seller" });
});
afterAll(async () => {
  const ended = varnish.exitCode === null && once(varnish, "exit");
  varnish.kill();
  await ended;
  for (const node of nodes.toReversed()) await node.close();
  await rm(folder, { recursive: true, force: true });
});

const isHit = ({ headers }: Response) => headers.get("x-varnish")?.includes(" ") === true;

test("Varnish answers public calls itself, and browsers still ask each time", async () => {
  const id = await listLaptop(seller);
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

test("what a member changes on either node is gone from Varnish within three seconds, for good", async () => {
  const id = await listLaptop(seller);
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
    // Nobody gets the old name once the second purge has run.
    await expect.poll(() => performance.now() - acknowledged).toBeGreaterThan(3_000);
    for (let n = 0; n < 5; n += 1) expect(await shown()).toBe(name);
  }
});

test("a member's own answers are never kept, and a purge without tags is refused", async () => {
  const own = { headers: { authorization: `Bearer ${await seller.token()}` } };
  for (const _ of [1, 2]) expect(isHit(await fetch(`${url}/api/payouts/account`, own))).toBe(false);
  expect((await fetch(`${url}/api/payouts/account`)).status).toBe(401);
  expect((await fetch(url, { method: "PURGE" })).status).toBe(400);
});
