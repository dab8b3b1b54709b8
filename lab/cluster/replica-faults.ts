import { setTimeout as wait } from "node:timers/promises";
import type { Checks } from "./checks.ts";
import type { Cluster } from "./cluster.ts";
import type { Load } from "./load.ts";
import type { Node } from "./nodes.ts";
import { expectRecovery } from "./outage.ts";
import type { Member } from "./patroni.ts";
import { waitUntil } from "./wait-until.ts";

/** Stops replay on a replica, which still receives changes. */
export async function stopReplay(cluster: Cluster, load: Load, checks: Checks): Promise<void> {
  const { patroni } = cluster;
  const replica = await asynchronousReplica(cluster);
  checks.step(`${replica.name}, a replica, replays nothing any more`);
  await untilRead(cluster, replica, "by all");
  const from = performance.now();
  const goOn = patroni.stopReplay(replica);
  await untilRead(cluster, replica, "by none", { everyMs: 20 });
  const seconds = (performance.now() - from) / 1_000;
  // The replica lags by 1 s one second after the stop. Nodes must leave it out within 2 s more.
  checks.expect(
    seconds < 3,
    `left out by all nodes ${seconds.toFixed(1)} s after it stopped, within 2 s of being 1 s late`,
  );
  await wait(10_000);
  goOn();
  const resumed = performance.now();
  await untilRead(cluster, replica, "by all");
  checks.say(
    `read from again ${((performance.now() - resumed) / 1_000).toFixed(1)} s after it went on`,
  );
  await expectRecovery(load, checks, { from });
}

/**
 * Cuts off the synchronous replica for at least 30 seconds. Writes wait until the other replica is
 * synchronous.
 */
export async function cutReplica(cluster: Cluster, load: Load, checks: Checks): Promise<void> {
  const { patroni } = cluster;
  const replica = await patroni.synchronousReplica();
  if (!replica) throw new Error("There is no synchronous replica.");
  checks.step(`the host of the synchronous replica, ${replica.name}, is cut from the network`);
  await untilRead(cluster, replica, "by all");
  const from = performance.now();
  const comeBack = patroni.cutHost(replica);
  try {
    await untilRead(cluster, replica, "by none", { everyMs: 20 });
    const seconds = (performance.now() - from) / 1_000;
    checks.expect(seconds < 3, `left out by all nodes after ${seconds.toFixed(1)} s, less than 3`);
    await expectRecovery(load, checks, { from, seconds: 15 });
    await wait(Math.max(0, from + 30_000 - performance.now()));
  } finally {
    comeBack();
  }
  await patroni.waitUntilWhole();
  await untilRead(cluster, replica, "by all", { seconds: 180 });
  checks.say(
    `read from again ${((performance.now() - from) / 1_000 - 30).toFixed(1)} s after the host is back`,
  );
}

async function asynchronousReplica({ patroni }: Cluster): Promise<Member> {
  const others = [await patroni.primary(), await patroni.synchronousReplica()];
  const replica = patroni.members.find((member) => !others.includes(member));
  if (!replica) throw new Error("There is no asynchronous replica.");
  return replica;
}

/** Expects metrics for two used replicas, and none for the primary, which nodes list as well. */
export async function expectNoneOut({ nodes, patroni }: Cluster, checks: Checks): Promise<void> {
  await patroni.waitUntilWhole();
  const uses = async () =>
    (await metricsOf(nodes)).map((metrics, at) => {
      const used = [...metrics.matchAll(/^secondlap_replica_used\{.*\} (\d)/gm)];
      return { name: nodes[at]?.name, used: used.map(([, value]) => value).join() };
    });
  const areAllUsed = async () => (await uses()).every(({ used }) => used === "1,1");
  const isSo = await waitUntil("no replica is out", areAllUsed, { seconds: 180 }).then(
    () => true,
    () => false,
  );
  checks.expect(
    isSo,
    "each node reads from two replicas, and reports none that is out",
    await uses(),
  );
}

/** Waits until, according to their metrics, all nodes or no nodes read from the replica. */
export async function untilRead(
  { nodes }: Cluster,
  { name, host }: Member,
  by: "by all" | "by none",
  options: { seconds?: number; everyMs?: number } = {},
): Promise<void> {
  const line = new RegExp(`^secondlap_replica_used\\{[^}]*"${host}:5432"[^}]*\\} (\\d)`, "m");
  const expected = by === "by all" ? "1" : "0";
  await waitUntil(
    `${name} is read ${by} nodes`,
    async () => (await metricsOf(nodes)).every((metrics) => line.exec(metrics)?.[1] === expected),
    options,
  );
}

async function metricsOf(nodes: Node[]): Promise<string[]> {
  return await Promise.all(
    nodes.map(async ({ metricsUrl }) => await (await fetch(metricsUrl)).text()),
  );
}
