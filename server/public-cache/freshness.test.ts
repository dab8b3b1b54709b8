import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { similarCount } from "#contract/laptop-page.ts";
import { addProduct, type Product } from "#contract/products.ts";
import { CurrentShop } from "../current-shop.ts";
import { listen } from "../testing/free-port.ts";
import { copyLaptop } from "../testing/insert-laptop.ts";
import { draftListing, listing } from "../testing/marketplace.ts";
import { member } from "../testing/people.ts";
import { openShop } from "../testing/shop.ts";
import { startCacheInvalidation } from "./cache-invalidation.ts";
import { maxStaleMs, PublicCache } from "./public-cache.ts";

const shop = await openShop();
const nodes = [shop, await openShop({ beside: shop })];
afterAll(async () => {
  for (const node of nodes.toReversed()) await node.close();
});
const seller = await member(shop, { accountType: "seller" });
/** For both nodes: some calls accept the session, and others a token. */
const who = { cookie: seller.cookie, authorization: `Bearer ${await seller.token()}` };
const draft = await draftListing(seller);
const { insertedId: laptop } = await seller.call(addProduct, { body: draft });
const others: string[] = [];
for (let n = 0; n < similarCount; n += 1)
  others.push(await listing(await member(shop, { accountType: "seller" })));
/** `page` reads another laptop, which has `laptop` among its similar laptops. */
const paths = {
  list: `/api/categoryProducts/${draft.product_categoryId}?limit=100`,
  page: `/api/products/byId/${others[0]}`,
};

const addresses = ["127.0.0.1", "127.0.0.2"];
const agent = new Agent({ keepAlive: true });

/** A write either renames the seller or lists a laptop in the category. */
type Kind = "rename" | "list";
type Place = { node: number; address: number };
type Read = Place & { askedAt: number; versions: Partial<Record<Kind, number>> };
type Write = { node: number | undefined; kind: Kind; version: number; acknowledgedAt: number };

async function get({ node, address }: Place, path: string): Promise<unknown> {
  const options = { agent, localAddress: addresses[address] };
  const [answer] = await once(request(nodes[node]?.url + path, options).end(), "response");
  return await json(answer);
}

const numberIn = (name = "") => Number(name.split(" ")[1]);
const nameIn = (products: Product[]) =>
  numberIn(products.find(({ _id }) => _id === laptop)?.seller_name);

/** Versions are in the seller's name and the newest laptop's name. */
async function readList(place: Place): Promise<Read> {
  const askedAt = performance.now();
  const products = (await get(place, paths.list)) as Product[];
  const extra = products.filter(({ product_name }) => product_name.startsWith("Extra"));
  const newest = Math.max(0, ...extra.map(({ product_name }) => numberIn(product_name)));
  return { ...place, askedAt, versions: { rename: nameIn(products), list: newest } };
}

/** The page may lack newer laptops (decisions/similar-laptops) but is otherwise fresh. */
async function readPage(place: Place): Promise<Read> {
  const askedAt = performance.now();
  const { similar } = (await get(place, paths.page)) as { similar: Product[] };
  expect(similar).toHaveLength(similarCount);
  return { ...place, askedAt, versions: { rename: nameIn(similar) } };
}

/** Writes through a node, or directly to the database, so that no node makes the commit. */
async function write(node: number | undefined, version: number, kind: Kind): Promise<Write> {
  await (node === undefined ? pastNodes : through(node))[kind](version);
  return { node, kind, version, acknowledgedAt: performance.now() };
}

/** A laptop with a price so different that pages don't show it as a similar laptop. */
const extra = (version: number) => ({ product_name: `Extra ${version}`, resale_price: 9_000 });

const pastNodes = {
  async rename(version: number) {
    const values = [`Version ${version}`, seller.id];
    await shop.pool.query("update members set name = $1 where id = $2", values);
  },
  async list(version: number) {
    const { product_name, resale_price } = extra(version);
    await copyLaptop(shop, laptop, { product_name, resale_cents: 100 * resale_price });
  },
};

const through = (node: number) => {
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(nodes[node]?.url + path, {
      method,
      headers: { ...who, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as object;
  };
  return {
    async rename(version: number) {
      const profile = { name: `Version ${version}`, email: seller.email, accountType: "seller" };
      expect(await send("PUT", "/api/users", profile)).toMatchObject({ modifiedCount: 1 });
    },
    async list(version: number) {
      const img = draft.img.replace(shop.url, nodes[node]?.url ?? "");
      const added = await send("POST", "/api/products", { ...draft, img, ...extra(version) });
      expect(added).toMatchObject({ acknowledged: true });
    },
  };
};

function oldestAllowed({ node, askedAt }: Read, writes: Write[], kind: Kind): number {
  const binding = writes.filter((one) => {
    const delayMs = one.node === node ? 0 : maxStaleMs;
    return one.kind === kind && one.acknowledgedAt + delayMs <= askedAt;
  });
  return Math.max(0, ...binding.map(({ version }) => version));
}

const step = fc.record({
  node: fc.constantFrom(0, 1, undefined),
  pauseMs: fc.constantFrom(0, 5, 40, 300),
  kind: fc.constantFrom<Kind>("rename", "list"),
});

test("no node serves a response that is stale for over a second, and the writing node serves no stale response", async () => {
  let version = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 10 }), async (steps) => {
      const writes = [await write(0, ++version, "list"), await write(0, ++version, "rename")];
      await wait(maxStaleMs);
      let done = false;
      const reads: Read[] = [];
      const readers = [0, 1].flatMap((node) =>
        [0, 1].map(async (address) => {
          for (let turn = 0; !done; turn += 1) {
            const read = turn % 2 === 0 ? readList : readPage;
            reads.push(await read({ node, address }));
            await wait(5);
          }
        }),
      );
      for (const { node, pauseMs, kind } of steps) {
        writes.push(await write(node, ++version, kind));
        if (node !== undefined)
          for (const read of [readList, readPage]) reads.push(await read({ node, address: 0 }));
        await wait(pauseMs);
      }
      const newest = async () => Object.values((await readList({ node: 1, address: 1 })).versions);
      await expect.poll(newest).toContain(version);
      done = true;
      await Promise.all(readers);
      for (const one of reads)
        for (const [kind, shown] of Object.entries(one.versions))
          expect(shown).toBeGreaterThanOrEqual(oldestAllowed(one, writes, kind as Kind));
    }),
    { numRuns: 2, endOnFailure: true },
  );
});

/** The version differs between tests, because an update without a change makes nothing stale. */
let version = 2_000;

test("a response for an id in capitals becomes stale like any other", async () => {
  const path = `/api/sellers/${seller.id.toUpperCase()}`;
  const shown = async () =>
    numberIn(((await get({ node: 0, address: 0 }, path)) as { name: string }).name);
  for (const _ of [1, 2]) {
    version += 1;
    await write(0, version, "rename");
    expect(await shown()).toBe(version);
  }
});

test.each([
  ["that is cut silently", "cut"],
  ["that delays responses", "delay"],
] as const)("over a connection %s, data is stale for at most a second", async (_, disturb) => {
  const through = await openProxy(shop.databaseUrl);
  const cache = new PublicCache();
  const changing = { publicCache: cache, shop: new CurrentShop() };
  const stop = await startCacheInvalidation(through.url, changing, shop.app.log);
  const get = async () => {
    const render = async () => ({
      status: 200,
      headers: {},
      tags: ["advertised"],
      body: String(version),
    });
    const response = await cache.get("list", render, { reader: "192.0.2.1" });
    return { version: Number((await response.encode("identity")).bytes) };
  };
  const first = await get();
  expect(first.version).toBe(version);
  through[disturb]();
  version += 1;
  await write(undefined, version, "rename");
  const acknowledgedAt = performance.now();
  // Waits without reading, because a read would start a new render.
  while (performance.now() < acknowledgedAt + maxStaleMs) await wait(5);
  const last = await get();
  expect(last.version).toBe(version);
  await stop();
  through.close();
});

/** Opens a proxy that can delay responses or freeze, without closing connections. */
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
  const port = String(await listen(proxy));
  const url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port });
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
