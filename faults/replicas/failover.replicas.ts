import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { enqueue } from "#server/jobs/job-queue.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { member, type Person } from "#server/testing/people.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import type { TestServer } from "#server/testing/streaming-replicas.ts";
import { openReplicaCluster, type ReplicaCluster } from "./replica-cluster.ts";

let cluster: ReplicaCluster;
let promoted: TestServer;
let follower: TestServer;
let nodes: [Shop, Shop];

// Two nodes share a primary, whose commits wait for the standby.
beforeAll(async () => {
  cluster = await openReplicaCluster("standby", "follower");
  const { primary, url } = cluster;
  [promoted, follower] = cluster.replicas;
  await primary.ask("alter system set synchronous_standby_names = 'FIRST 1 (standby)'");
  await primary.ask("select pg_reload_conf()");
  const env = {
    DATABASE_URL: url,
    DATABASE_REPLICA_URL: `${promoted.url},${follower.url}`,
    DATABASE_TIMEOUT: "5",
  };
  const options = { worker: true, env };
  const one = await openShop({ databaseUrl: url, sandbox: true, ...options });
  nodes = [one, await openShop({ beside: one, sandbox: true, ...options })];
});
afterAll(async () => {
  for (const node of nodes?.toReversed() ?? []) await node.close();
  await cluster?.stop();
});

type Attempt = { status: number; retryAfter: string | null; at: number };
type Write = { saver: Person; product: string };

async function save(node: Shop, { saver, product }: Write): Promise<Attempt> {
  const authorization = `Bearer ${await saver.token()}`;
  const answer = await fetch(`${node.url}/api/savedProducts/${product}`, {
    method: "PUT",
    headers: { authorization },
  });
  await answer.text();
  const retryAfter = answer.headers.get("retry-after");
  return { status: answer.status, retryAfter, at: performance.now() };
}

type Writer = { attempts: Attempt[]; acknowledged: Write[]; stop(): Promise<void> };

function startWriter(node: Shop, writes: Write[]): Writer {
  const attempts: Attempt[] = [];
  const acknowledged: Write[] = [];
  let isStopped = false;
  const writeAll = async () => {
    for (const write of writes) {
      if (isStopped) return;
      const attempt = await save(node, write);
      attempts.push(attempt);
      if (attempt.status === 200) acknowledged.push(write);
      await wait(20);
    }
    throw new Error("there is nothing left to write");
  };
  const running = writeAll();
  running.catch(() => {});
  return {
    attempts,
    acknowledged,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

async function prepareWrites(shop: Shop, count: number): Promise<Write[][]> {
  const seller = await member(shop, { accountType: "seller" });
  const products: string[] = [];
  for (let n = 0; n < count; n += 1) products.push(await insertLaptop(shop, seller));
  const members = await Promise.all(Array.from({ length: 24 }, () => member(shop)));
  // Each member can save each laptop only once, and at most 200 laptops.
  return [0, 1, 2, 3, 4, 5].map((writer) =>
    members
      .filter((_, index) => index % 6 === writer)
      .flatMap((saver) => products.map((product) => ({ saver, product }))),
  );
}

test("a killed primary loses no acknowledged write, and both nodes write to the promoted replica", async () => {
  const lists = await prepareWrites(nodes[0], 100);
  const writers = lists.map((writes, index) => startWriter(nodes[index % 2 === 0 ? 0 : 1], writes));
  await each(writers, ({ acknowledged }) => acknowledged.length >= 30);
  const killedAt = performance.now();
  await cluster.primary.kill();
  await cluster.promote(promoted, follower);
  const promotedAt = performance.now();
  // Each writer's last twenty writes must have been acknowledged after the failover.
  await each(writers, ({ attempts }) =>
    attempts.slice(-20).every(({ at, status }) => status === 200 && at > promotedAt),
  );
  for (const writer of writers) await writer.stop();

  const attempts = writers.flatMap((writer) => writer.attempts);
  const refused = attempts.filter(({ status }) => status !== 200);
  expect(refused.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
  const acknowledged = writers.flatMap((writer) => writer.acknowledged);
  const lost = await findLost(nodes[0], acknowledged);
  const slowest = Math.round(
    Math.max(...writers.map((writer) => writesAgainAt(writer) - killedAt)),
  );
  console.log(
    `${acknowledged.length} writes acknowledged, ${lost.length} lost, ${refused.length} refused with 503; promoted after ${Math.round(promotedAt - killedAt)} ms, all write again after ${slowest} ms`,
  );
  expect(lost).toEqual([]);
  expect(slowest).toBeLessThan(15_000);
});

async function each(writers: Writer[], isTrue: (writer: Writer) => boolean): Promise<void> {
  const check = () => expect(writers.every(isTrue)).toBe(true);
  await vi.waitFor(check, { timeout: 120_000 });
}

/** Returns when the first write after the last failed write was acknowledged. */
function writesAgainAt({ attempts }: Writer): number {
  const last = attempts.findLastIndex(({ status }) => status !== 200);
  return attempts[last + 1]?.at ?? Number.POSITIVE_INFINITY;
}

async function findLost({ deps }: Shop, writes: Write[]): Promise<Write[]> {
  const rows = await deps.db
    .selectFrom("saved_products")
    .select(["member_id", "product_id"])
    .execute();
  const kept = new Set(rows.map((row) => `${row.member_id} ${row.product_id}`));
  return writes.filter(({ saver, product }) => !kept.has(`${saver.id} ${product}`));
}

test("after a failover, jobs run, nodes see each other's changes, and the remaining replica serves reads", async () => {
  const [shop, other] = nodes;
  const seller = await member(shop, { accountType: "seller" });
  const id = await insertLaptop(shop, seller);
  const shown = async () =>
    (
      (await (await fetch(`${other.url}/api/products/byId/${id}`)).json()) as {
        seller_name: string;
      }
    ).seller_name;
  await expect.poll(shown).toBe(seller.name);
  await shop.deps.db
    .updateTable("members")
    .set({ name: "Grace" })
    .where("id", "=", seller.id)
    .execute();
  const changedAt = performance.now();
  await expect.poll(shown, { interval: 20 }).toBe("Grace");
  expect(performance.now() - changedAt).toBeLessThan(1_500);

  await enqueue(shop.deps.db, "cleanUp", { payload: {} });
  const waiting = async () =>
    (await shop.pool.query("select from graphile_worker.jobs where task_identifier = 'cleanUp'"))
      .rowCount;
  await expect.poll(waiting).toBe(0);

  const { replicas } = shop.deps;
  const answered = () => replicas.reads[`127.0.0.1:${follower.port}`] ?? 0;
  const before = answered();
  await vi.waitFor(
    async () => {
      await replicas.read(undefined, (tx) =>
        tx.selectFrom("members").select("id").limit(1).execute(),
      );
      expect(answered()).toBeGreaterThan(before);
    },
    { timeout: 20_000 },
  );
});

test("both nodes write again within 30 seconds if the primary's host freezes and connections to the host hang", async () => {
  const writers = (await prepareWrites(nodes[0], 60)).map((writes, index) =>
    startWriter(nodes[index % 2 === 0 ? 0 : 1], writes),
  );
  await each(writers, ({ acknowledged }) => acknowledged.length >= 5);
  await expect.poll(() => isReplicated()).toBe(true);
  const goneAt = performance.now();
  await promoted.freeze();
  await cluster.promote(follower);
  const promotedAt = performance.now();
  await each(writers, ({ attempts }) =>
    attempts.slice(-5).every(({ at, status }) => status === 200 && at > promotedAt),
  );
  for (const writer of writers) await writer.stop();
  await promoted.kill();
  const refused = writers.flatMap(({ attempts }) =>
    attempts.filter(({ status }) => status !== 200),
  );
  expect(refused.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
  const slowest = Math.round(Math.max(...writers.map((writer) => writesAgainAt(writer) - goneAt)));
  console.log(`host gone: ${refused.length} refused with 503, all write again after ${slowest} ms`);
  expect(slowest).toBeLessThan(30_000);
});

async function isReplicated(): Promise<boolean> {
  return (
    (await promoted.ask("select from pg_stat_replication where state = 'streaming'")).length > 0
  );
}
