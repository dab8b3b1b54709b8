import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { updateProfile } from "#contract/members.ts";
import { listSavedProductIds, saveProduct, unsaveProduct } from "#contract/saved-products.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { type Caller, callsOver, listing } from "#server/testing/marketplace.ts";
import { metricOf, valueIn } from "#server/testing/metrics.ts";
import { member, type Person } from "#server/testing/people.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import type { TestServer } from "#server/testing/streaming-replicas.ts";
import { openReplicaCluster, type ReplicaCluster } from "./replica-cluster.ts";

const delayMs = 300;
const wanted = inject("ownReads");

let cluster: ReplicaCluster;
let near: TestServer;
let nodes: [Shop, Shop];

// The replica `far` lags by at least 300 ms.
beforeAll(async () => {
  cluster = await openReplicaCluster("near", "far");
  const [first, far] = cluster.replicas;
  near = first;
  await far.ask(`alter system set recovery_min_apply_delay = ${delayMs}`);
  await far.ask("select pg_reload_conf()");
  const env = {
    DATABASE_URL: cluster.primary.url,
    DATABASE_REPLICA_URL: `${near.url},${far.url}`,
  };
  const one = await openShop({ databaseUrl: cluster.primary.url, env });
  nodes = [one, await openShop({ beside: one, env })];
  const ready = () => expect(nodes.map(usable)).toEqual([2, 2]);
  await vi.waitFor(ready, { timeout: 60_000 });
});
afterAll(async () => {
  for (const node of nodes?.toReversed() ?? []) await node.close();
  await cluster?.stop();
});

const usable = (node: Shop) => node.deps.replicas.states.filter((state) => state.isUsed).length;

const readsOf = (node: Shop) => ({ ...node.deps.replicas.reads });

const nameOf = ({ port }: TestServer) => `127.0.0.1:${port}`;

/** Returns a caller for each node. The callers share an access token, but no cookies. */
async function atNodes(person: Person) {
  const token = await person.token();
  return nodes.map(({ url }) =>
    callsOver({ host: `${url}/api`, fetch, token: async () => token }),
  ) as [Caller, Caller];
}

test(`none of ${wanted} reads of a member's own writes is stale on either node, and replicas serve some of the reads`, {
  timeout: 600_000 + wanted * 30,
}, async () => {
  const [shop] = nodes;
  const seller = await member(shop, { accountType: "seller" });
  const product = await insertLaptop(shop, seller);
  const members = await Promise.all(Array.from({ length: 8 }, () => member(shop)));
  let reads = 0;
  let stale = 0;
  const readAndWrite = async (someone: Person, index: number) => {
    const at = await atNodes(someone);
    for (let turn = 0; reads < wanted; turn += 1) {
      const saved = turn % 2 === 0;
      const writer = at[(turn + index) % 3 === 0 ? 0 : 1];
      const reader = at[(turn + index) % 5 === 0 ? 0 : 1];
      const write = saved ? saveProduct : unsaveProduct;
      await writer.call(write, { params: { id: product } });
      // Three reads, because the replica without a delay may have the write by a later read.
      for (const _ of [1, 2, 3]) {
        const { ids } = await reader.call(listSavedProductIds, {});
        reads += 1;
        if (ids.includes(product) !== saved) stale += 1;
      }
    }
  };
  await Promise.all(members.map(readAndWrite));
  const answered = nodes.map(readsOf);
  console.log(`${reads} reads of own writes, ${stale} stale; answered by`, ...answered);
  expect(stale).toBe(0);
  for (const one of answered) expect(one[nameOf(near)]).toBeGreaterThan(0);
});

test("some reads that don't send the position of the member's own write are stale", async () => {
  const [shop] = nodes;
  const reader = shop.deps.replicas;
  let stale = 0;
  for (let turn = 0; turn < 20; turn += 1) {
    const { id } = await member(shop);
    const read = await reader.read(undefined, (tx) =>
      tx.selectFrom("members").select("id").where("id", "=", id).executeTakeFirst(),
    );
    if (!read) stale += 1;
  }
  expect(stale).toBeGreaterThan(0);
});

test("a public response rendered after a change contains the change, even if a replica lacks it", async () => {
  const [shop, other] = nodes;
  const seller = await member(shop, { accountType: "seller" });
  const id = await listing(seller);
  const shown = async (node: Shop) =>
    ((await (await fetch(`${node.url}/api/products/byId/${id}`)).json()) as { seller_name: string })
      .seller_name;
  for (let turn = 0; turn < 30; turn += 1) {
    const name = `Ada ${turn}`;
    await fetch(`${shop.url}/api/users`, {
      method: updateProfile.method,
      headers: { cookie: seller.cookie, "content-type": "application/json" },
      body: JSON.stringify({ name, email: seller.email, accountType: "seller" }),
    });
    expect(await shown(shop)).toBe(name);
    await expect.poll(() => shown(other), { interval: 5 }).toBe(name);
    for (let again = 0; again < 5; again += 1) expect(await shown(other)).toBe(name);
  }
  expect(Object.values(readsOf(shop)).reduce((a, b) => a + b)).toBeGreaterThan(30);
});

/** Repeats reads without a write position. Returns the time until `done`, in milliseconds. */
async function readUntil(node: Shop, done: () => boolean): Promise<number> {
  const began = performance.now();
  while (!done()) {
    await node.deps.replicas.read(undefined, (tx) => sql`select 1`.execute(tx));
    // Makes the primary's WAL grow, so that a replica can lag.
    await sql`select pg_logical_emit_message(true, 'test', 'x')`.execute(node.deps.db);
  }
  return performance.now() - began;
}

const countedReads = (node: Shop, server: string) =>
  metricOf(node, "secondlap_replica_reads_total", { server });

const lagOf = (node: Shop, server: TestServer) =>
  node.deps.replicas.states.find(({ name }) => name === nameOf(server))?.lagMs;

test("a replica that stops replaying is left out within two seconds, and is used again after it catches up", async () => {
  const [shop] = nodes;
  await near.ask("select pg_wal_replay_pause()");
  onTestFinished(async () => void (await near.ask("select pg_wal_replay_resume()")));
  const out = await readUntil(shop, () => (lagOf(shop, near) ?? 0) > 1_000);
  const before = readsOf(shop)[nameOf(near)];
  await readUntil(shop, () => (lagOf(shop, near) ?? 0) > 1_500);
  expect(readsOf(shop)[nameOf(near)]).toBe(before);
  const replica = nameOf(near);
  const text = await shop.deps.metrics.text();
  expect(valueIn(text, "secondlap_replica_used", { replica })).toBe(0);
  expect(await metricOf(shop, "secondlap_replica_lag_seconds", { replica })).toBeGreaterThan(1.4);
  expect(await countedReads(shop, replica)).toBe(before);
  await near.ask("select pg_wal_replay_resume()");
  const back = await readUntil(shop, () => readsOf(shop)[nameOf(near)] !== before);
  console.log(`left out after ${Math.round(out)} ms, back after ${Math.round(back)} ms`);
  expect(out).toBeLessThan(2_000);
  const late = () => metricOf(shop, "secondlap_replica_lag_seconds", { replica });
  await expect.poll(late).toBeLessThan(1);
  expect(await metricOf(shop, "secondlap_replica_used", { replica })).toBe(1);
  expect(await countedReads(shop, replica)).toBeGreaterThan(before ?? 0);
});

test("no read fails when one replica dies, when all replicas are dead, or when the replicas return", async () => {
  const [shop] = nodes;
  const isDown = (server: TestServer) => lagOf(shop, server) === undefined;
  for (const server of cluster.replicas) {
    await server.kill();
    const ms = await readUntil(shop, () => isDown(server));
    console.log(`${server.name} was killed and left out after ${Math.round(ms)} ms`);
  }
  const { primary = 0 } = readsOf(shop);
  await readUntil(shop, () => (readsOf(shop).primary ?? 0) > primary);
  for (const server of cluster.replicas) await server.start();
  await readUntil(shop, () => usable(shop) === 2);
});
