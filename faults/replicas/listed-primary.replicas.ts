import { mkdtemp, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
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
import { openMovingAddress } from "#server/testing/moving-address.ts";
import {
  type StreamingReplicas,
  startStreamingReplicas,
  type TestServer,
} from "#server/testing/streaming-replicas.ts";

let folder: string;
let cluster: StreamingReplicas;
let standby: TestServer;
let copy: TestServer;
let address: Awaited<ReturnType<typeof openMovingAddress>>;
let url: string;
let database: Database;
let replicas: WatchedReplicas;
const registry = new Registry();

/** Lists all three servers as replicas, because each may become the primary. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-listed-primary-"));
  cluster = await startStreamingReplicas(folder, ["standby", "copy"]);
  [standby, copy] = cluster.replicas as [TestServer, TestServer];
  address = await openMovingAddress(cluster.primary.port);
  url = Object.assign(new URL(cluster.url), { port: String(address.port) }).href;
  database = openDatabase(url);
  replicas = new WatchedReplicas({
    urls: [cluster.url, standby.url, copy.url],
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
  address?.close();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

const kinds = () =>
  replicas.states.map(({ isPrimary, isUsed }) => (isPrimary ? "primary" : isUsed ? "used" : "out"));

/** The metric that alerts use, for each listed server. */
async function used() {
  const text = await registry.metrics();
  return replicas.states.map(({ name: replica }) =>
    valueIn(text, "secondlap_replica_used", { replica }),
  );
}

/** The result of `npm run doctor` for each server. */
async function examine() {
  const urls = [cluster.url, standby.url, copy.url];
  const config = readConfig({ DATABASE_URL: url, DATABASE_REPLICA_URL: urls.join(",") });
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
  await unlink(join(folder, copy.name, "postgres/standby.signal"));
  await copy.start();
  await expect.poll(examine).toEqual(["it is the primary now", undefined, stranger]);
  await expect.poll(kinds).toEqual(["primary", "used", "out"]);
  expect(await used()).toEqual([undefined, 1, 0]);
});

test("after a failover, the promoted server is the primary, and the old primary is not used", async () => {
  await cluster.primary.kill();
  await standby.ask("select pg_promote()");
  address.moveTo(standby.port);
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
