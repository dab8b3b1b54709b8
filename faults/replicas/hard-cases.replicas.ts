import { setTimeout as wait, setImmediate as waitForTurn } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Database, openDatabase, type Tx } from "#server/db/database.ts";
import { Replica } from "#server/db/replica.ts";
import { WatchedReplicas } from "#server/db/replicas.ts";
import type { TestServer } from "#server/testing/streaming-replicas.ts";
import { openReplicaCluster, type ReplicaCluster } from "./replica-cluster.ts";

let cluster: ReplicaCluster;
let successor: TestServer;
let ahead: TestServer;
let primary: Database;
let replicas: WatchedReplicas;
const warnings: object[] = [];

// The replicas are asynchronous. The primary's address can be moved to another server.
beforeAll(async () => {
  cluster = await openReplicaCluster("successor", "ahead");
  [successor, ahead] = cluster.replicas;
  primary = openDatabase(cluster.url);
  replicas = new WatchedReplicas({
    urls: [ahead.url],
    db: primary.db,
    // Position 0/0: the node has seen no changes, so every replica is recent enough.
    changePosition: () => "0/0",
    statementTimeoutMs: 15_000,
    warn: (fields) => warnings.push(fields),
  });
  await vi.waitFor(() => expect(isUsed()).toBe(true), { timeout: 60_000 });
});
afterAll(async () => {
  await replicas?.close();
  await primary?.pool.end();
  await cluster?.stop();
});

const isUsed = () => replicas.states.every((state) => state.isUsed);

async function portOf(tx: Tx): Promise<number> {
  const { rows } = await sql<{ port: string }>`select current_setting('port') as port`.execute(tx);
  return Number(rows[0]?.port);
}

const readPort = () => replicas.read(undefined, portOf);

test("while reads hold all of a replica's connections, other reads go to the primary, and the replica stays in use", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holders: Promise<void>[] = [];
  let held = 0;
  while (held < 10)
    await new Promise<void>((begun) =>
      holders.push(
        replicas.read(undefined, async (tx) => {
          const isReplica = (await portOf(tx)) === ahead.port;
          if (isReplica) held += 1;
          begun();
          if (isReplica) await released;
        }),
      ),
    );
  const began = performance.now();
  const ports = await Promise.all([readPort(), readPort(), readPort()]);
  const ms = performance.now() - began;
  console.log(`read from the primary after ${Math.round(ms)} ms`);
  expect(ports).toEqual(ports.map(() => cluster.primary.port));
  expect(ms).toBeLessThan(1_500);
  expect(isUsed()).toBe(true);
  release();
  await Promise.all(holders);
  await expect.poll(readPort).toBe(ahead.port);
});

test("a process that is blocked while a replica responds still considers the replica up", async () => {
  const replica = new Replica(ahead.url, { statementTimeoutMs: 15_000, name: "ahead" });
  onTestFinished(() => replica.close());
  await expect.poll(() => replica.check()).toBeTypeOf("bigint");
  await expect.poll(() => replica.run(() => true, portOf)).toEqual({ result: ahead.port });
  const reading = replica.run(
    () => true,
    async (tx) => {
      await sql`select pg_sleep(1.5)`.execute(tx);
      return await portOf(tx);
    },
  );
  await wait(100);
  const checking = replica.check();
  await waitForTurn();
  const until = performance.now() + 700;
  while (performance.now() < until);
  expect(await checking).toBeTypeOf("bigint");
  expect(await reading).toEqual({ result: ahead.port });
});

test("a replica that has replayed writes lost in a failover gets no more reads", async () => {
  await successor.ask("alter system set primary_conninfo = ''");
  await successor.ask("select pg_reload_conf()");
  const streaming = () => cluster.primary.ask("select from pg_stat_replication");
  await expect.poll(streaming).toHaveLength(1);
  await sql`create table lost_writes ()`.execute(primary.db);
  for (let megabyte = 0; megabyte < 8; megabyte += 1)
    await sql`select pg_logical_emit_message(true, 'test', repeat('x', 1000000))`.execute(
      primary.db,
    );
  const hasLost = () =>
    replicas.read(undefined, async (tx) => {
      const { rows } = await sql<{ is: boolean }>`
        select to_regclass('lost_writes') is not null as is`.execute(tx);
      return rows[0]?.is;
    });
  await cluster.untilReplayed(ahead);

  await cluster.primary.kill();
  await cluster.promote(successor, ahead);
  await expect.poll(isUsed, { timeout: 10_000 }).toBe(false);
  for (const until = performance.now() + 3_000; performance.now() < until; await wait(20)) {
    expect(await hasLost()).toBe(false);
    // The replica responds without lag, because it has replayed more than the new primary has.
    expect(replicas.states).toMatchObject([{ isUsed: false, lagMs: 0 }]);
  }
  expect(JSON.stringify(warnings.at(-1))).toContain("timeline");
});

test("a replica that does not respond is reported as down", async () => {
  expect(replicas.states).toMatchObject([{ lagMs: 0 }]);
  const began = performance.now();
  await ahead.freeze();
  await expect
    .poll(() => replicas.states[0]?.lagMs, { interval: 20, timeout: 10_000 })
    .toBe(undefined);
  const ms = performance.now() - began;
  console.log(`a replica that says nothing is left out after ${Math.round(ms)} ms`);
  expect(ms).toBeLessThan(3_000);
  await ahead.kill();
});
