import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkReplica } from "#server/cli/services.ts";
import { readConfig } from "#server/config.ts";
import { type Database, openDatabase } from "#server/db/database.ts";
import { WatchedReplicas } from "#server/db/replicas.ts";
import { measureReplicas } from "#server/metrics/node-metrics.ts";
import { valueIn } from "#server/testing/metrics.ts";
import type { TestServer } from "#server/testing/streaming-replicas.ts";
import { openReplicaCluster, type ReplicaCluster } from "./replica-cluster.ts";

let cluster: ReplicaCluster;
let standby: TestServer;
let copy: TestServer;
let database: Database;
let replicas: WatchedReplicas;
const registry = new Registry();

// Lists all three servers as replicas, because each may become the primary.
beforeAll(async () => {
  cluster = await openReplicaCluster("standby", "copy");
  [standby, copy] = cluster.replicas;
  database = openDatabase(cluster.url);
  replicas = new WatchedReplicas({
    urls: listedUrls(),
    db: database.db,
    changePosition: () => "0/0",
    statementTimeoutMs: 15_000,
    warn: () => {},
  });
  measureReplicas(registry, replicas);
});
afterAll(async () => {
  await replicas?.close();
  await database?.pool.end();
  await cluster?.stop();
});

const listedUrls = () => [cluster.primary, standby, copy].map(({ url }) => url);

const kinds = () =>
  replicas.states.map(({ isPrimary, isUsed }) => (isPrimary ? "primary" : isUsed ? "used" : "out"));

/** Returns the metric that alerts use, for each listed server. */
async function used() {
  const text = await registry.metrics();
  return replicas.states.map(({ name: replica }) =>
    valueIn(text, "secondlap_replica_used", { replica }),
  );
}

async function examine() {
  const urls = listedUrls();
  const config = readConfig({ DATABASE_URL: cluster.url, DATABASE_REPLICA_URL: urls.join(",") });
  return await Promise.all(
    urls.map((listed) => checkReplica(listed, config).catch((error: Error) => error.message)),
  );
}

const stranger = "it is no replica, and not the primary of DATABASE_URL either";

test("a primary in the list of replicas is not reported as an unused replica", async () => {
  await expect.poll(kinds).toEqual(["primary", "used", "used"]);
  expect(await used()).toEqual([undefined, 1, 1]);
  expect(await examine()).toEqual(["it is the primary now", undefined, undefined]);
});

test("a replica that is restarted as an independent server is not used", async () => {
  await copy.stop();
  await unlink(join(cluster.folder, copy.name, "postgres/standby.signal"));
  await copy.start();
  await expect.poll(examine).toEqual(["it is the primary now", undefined, stranger]);
  await expect.poll(kinds).toEqual(["primary", "used", "out"]);
  expect(await used()).toEqual([undefined, 1, 0]);
});

test("after a failover, the promoted server is the primary, and the old primary is not used", async () => {
  await cluster.primary.kill();
  await cluster.promote(standby);
  await expect.poll(kinds).toEqual(["out", "primary", "out"]);
  expect(await used()).toEqual([0, undefined, 0]);

  await cluster.primary.start();
  await expect.poll(examine).toEqual([stranger, "it is the primary now", stranger]);
  // Six rounds of checks, which run four times a second.
  for (const until = performance.now() + 1_500; performance.now() < until; await wait(50))
    expect(kinds()[0]).toBe("out");
  await expect.poll(kinds).toEqual(["out", "primary", "out"]);
  expect(await used()).toEqual([0, undefined, 0]);
});
