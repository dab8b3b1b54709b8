import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { committedChanges } from "../db/committed-changes.ts";
import { listLaptop } from "../testing/marketplace.ts";
import { createMember, type Person } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { startCacheInvalidation } from "./cache-invalidation.ts";
import { maxStaleMs, PublicCache } from "./public-cache.ts";

let nodes: Shop[];
let seller: Person;
let list: string;

beforeAll(async () => {
  const shop = await openShop();
  nodes = [shop, await openShop({ beside: shop })];
  seller = await createMember(shop, { accountType: "seller" });
  const [{ id } = { id: "" }] = await shop.deps.db.selectFrom("categories").select("id").execute();
  await listLaptop(seller, { product_categoryId: id });
  list = `/api/categoryProducts/${id}`;
});
afterAll(async () => {
  for (const node of nodes.toReversed()) await node.close();
});

/** Addresses of the seller, and of a visitor. */
const addresses = ["127.0.0.1", "127.0.0.2"];
const agent = new Agent({ keepAlive: true });

type Read = { node: number; address: number; askedAt: number; version: number };
type Write = { node: number | undefined; version: number; acknowledgedAt: number };

/** The version is the number in the seller's name, which the list shows. */
async function read(node: number, address: number): Promise<Read> {
  const askedAt = performance.now();
  const options = { agent, localAddress: addresses[address] };
  const [answer] = await once(request(nodes[node]?.url + list, options).end(), "response");
  const [product] = (await json(answer)) as { seller_name: string }[];
  return { node, address, askedAt, version: Number(product?.seller_name.split(" ")[1]) };
}

/** Through a node, or past all of them: then no node announces it, as if the notification were lost. */
async function write(node: number | undefined, version: number): Promise<Write> {
  const name = `Version ${version}`;
  if (node === undefined)
    await nodes[0]?.pool.query("update members set name = $1 where id = $2", [name, seller.id]);
  else {
    const { email, cookie } = seller;
    const answer = await fetch(`${nodes[node]?.url}/api/users`, {
      method: "PUT",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ name, email, accountType: "seller" }),
    });
    expect(await answer.json()).toMatchObject({ modifiedCount: 1 });
  }
  return { node, version, acknowledgedAt: performance.now() };
}

/** The oldest version the read may have shown. */
function oldestAllowed({ node, address, askedAt }: Read, writes: Write[]): number {
  const binding = writes.filter((one) => {
    const isOwn = address === 0 && one.node === node;
    return one.acknowledgedAt + (isOwn ? 0 : maxStaleMs) <= askedAt;
  });
  return Math.max(...binding.map(({ version }) => version));
}

const step = fc.record({
  node: fc.constantFrom(0, 1, undefined),
  pauseMs: fc.constantFrom(0, 5, 40, 300),
});

test("two nodes never answer older than a second, nor the writer older than their own write", async () => {
  let version = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const writes = [await write(0, ++version)];
      await wait(maxStaleMs);
      let done = false;
      const reads: Read[] = [];
      const readers = [0, 1].flatMap((node) =>
        [0, 1].map(async (address) => {
          while (!done) {
            reads.push(await read(node, address));
            await wait(3);
          }
        }),
      );
      for (const { node, pauseMs } of steps) {
        writes.push(await write(node, ++version));
        if (node !== undefined) reads.push(await read(node, 0));
        await wait(pauseMs);
      }
      await expect.poll(async () => (await read(1, 1)).version).toBe(version);
      done = true;
      await Promise.all(readers);
      for (const one of reads)
        expect(one.version).toBeGreaterThanOrEqual(oldestAllowed(one, writes));
    }),
    { numRuns: 2, endOnFailure: true },
  );
});

test("a node announces its writes on the connection that no request uses, and once for many", async () => {
  const listener = new pg.Client({ connectionString: nodes[0]?.databaseUrl });
  await listener.connect();
  const [senders, payloads]: [number[], string[]] = [[], []];
  listener.on("notification", ({ processId, payload = "" }) => {
    senders.push(processId);
    payloads.push(payload);
  });
  await listener.query("listen public_change");
  const { rows } = await listener.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'secondlap changes' and datname = current_database()",
  );
  await write(undefined, 1_000);
  for (let n = 0; n < 50; n += 1) committedChanges.publish({});
  await expect.poll(() => senders.length).toBeGreaterThan(0);
  await listener.query("select pg_notify('public_change', 'last')");
  await expect.poll(() => payloads).toContain("last");
  // Both nodes are in this process, so both are told of the commits.
  const announced = payloads.filter((payload) => payload !== "last");
  expect(announced).toHaveLength(new Set(announced).size);
  expect(rows.map(({ pid }) => pid)).toEqual(expect.arrayContaining(senders.slice(0, -1)));
  await listener.end();
});

/** Differs between tests: a write that changes nothing makes nothing stale. */
let version = 2_000;

test.each([
  ["that is cut silently", "cut"],
  ["that delays its answers", "delay"],
] as const)("a connection %s costs a second, not correctness", async (_, disturb) => {
  const through = await openProxy(nodes[0]?.databaseUrl ?? "");
  const cache = new PublicCache();
  const stop = await startCacheInvalidation(through.url, cache, nodes[0]?.app.log as never);
  const get = async () => {
    const render = async () => ({
      ...{ status: 200, headers: {}, tags: ["advertised"] },
      body: String(version),
    });
    const response = await cache.get("list", render, { reader: "192.0.2.1" });
    return { version: Number((await response.encode("identity")).bytes) };
  };
  const first = await get();
  expect(first.version).toBe(version);
  through[disturb]();
  version += 1;
  await write(undefined, version);
  const acknowledgedAt = performance.now();
  // No reader before: one would have it rendered anew.
  while (performance.now() < acknowledgedAt + maxStaleMs) await wait(5);
  const last = await get();
  expect(last.version).toBe(version);
  await stop();
  through.close();
});

/** A proxy to PostgreSQL that can delay answers, or stop forwarding on its connections without closing them. */
async function openProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets: Socket[] = [];
  let delayMs = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    sockets.push(client, server);
    for (const socket of [client, server]) socket.on("error", () => {});
    client.pipe(server);
    server.on("data", (bytes) => setTimeout(() => client.write(bytes), delayMs));
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port } = proxy.address() as { port: number };
  const url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) });
  return {
    url: url.href,
    delay() {
      delayMs = 300;
    },
    cut() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
