import { setTimeout as wait } from "node:timers/promises";
import type { Checks } from "./checks.ts";
import type { Cluster } from "./cluster.ts";
import type { Load } from "./load.ts";
import { expectRefusals, untilOver } from "./outage.ts";
import type { Member } from "./patroni.ts";
import { waitUntil } from "./wait-until.ts";

/** A replica receives all and replays nothing, for a while. */
export async function cutReplica(
  cluster: Cluster,
  { requests }: Load,
  checks: Checks,
): Promise<void> {
  const { patroni } = cluster;
  const replica = await asynchronousReplica(cluster);
  checks.step(`${replica.name}, a replica, replays nothing any more`);
  await waitUntil("all nodes read from it", () => isRead(cluster, replica, "by all"));
  const from = performance.now();
  const goOn = patroni.stopReplay(replica);
  await waitUntil("no node reads from it", () => isRead(cluster, replica, "by none"), {
    everyMs: 20,
  });
  const seconds = (performance.now() - from) / 1_000;
  // It is a second late a second after it stopped.
  checks.expect(
    seconds < 3,
    `left out by all nodes ${seconds.toFixed(1)} s after it stopped, within 2 s of being 1 s late`,
  );
  await wait(10_000);
  goOn();
  const resumed = performance.now();
  await waitUntil("all nodes read from it again", () => isRead(cluster, replica, "by all"));
  checks.say(
    `read from again ${((performance.now() - resumed) / 1_000).toFixed(1)} s after it went on`,
  );
  expectRefusals(checks, (await untilOver(requests, from)).failed);
}

export async function restartPooler(
  { pgbouncer }: Cluster,
  { requests }: Load,
  checks: Checks,
): Promise<void> {
  checks.step("PgBouncer is restarted");
  const from = performance.now();
  await pgbouncer.restart();
  const { failed, secondsToWrite } = await untilOver(requests, from);
  checks.expect(
    secondsToWrite < 5,
    `writes again after ${secondsToWrite.toFixed(1)} s, less than 5`,
  );
  expectRefusals(checks, failed);
}

/** The etcd that leads ends; the other two elect another, and the primary stays. */
export async function killEtcd(
  cluster: Cluster,
  { requests }: Load,
  checks: Checks,
): Promise<void> {
  const primary = await currentPrimary(cluster);
  const from = performance.now();
  const { name, restart } = await cluster.etcd.killLeader();
  checks.step(`kill -9 of ${name}, which leads the three etcd`);
  const { failed, secondsToWrite } = await untilOver(requests, from);
  checks.expect(
    secondsToWrite < 5,
    `writes again after ${secondsToWrite.toFixed(1)} s, less than 5`,
  );
  expectRefusals(checks, failed);
  const now = await currentPrimary(cluster);
  checks.expect(now.name === primary.name, `${now.name} is the primary, as before`);
  await restart();
}

/** PostgreSQL's processes end; Patroni on that host goes on. */
export async function killPrimary(
  cluster: Cluster,
  { requests }: Load,
  checks: Checks,
): Promise<void> {
  const { patroni } = cluster;
  const primary = await currentPrimary(cluster);
  checks.step(`kill -9 of the primary, ${primary.name}`);
  const from = performance.now();
  patroni.killPostgres(primary);
  const { failed, secondsToWrite } = await untilOver(requests, from);
  checks.expect(
    secondsToWrite < 15,
    `writes again after ${secondsToWrite.toFixed(1)} s, less than 15`,
  );
  expectRefusals(checks, failed);
  await expectAnother(cluster, primary, checks);
}

/** Nothing on the primary's host runs, and its connections say nothing; it comes back after 45 seconds. */
export async function freezePrimary(cluster: Cluster, load: Load, checks: Checks): Promise<void> {
  const leave = (primary: Member) => cluster.patroni.freezeHost(primary);
  await losePrimary(cluster, load, { checks, leave, how: "is gone" });
}

/** The primary's host goes on without the network, which comes back after 45 seconds. */
export async function cutPrimary(cluster: Cluster, load: Load, checks: Checks): Promise<void> {
  const leave = (primary: Member) => cluster.patroni.cutHost(primary);
  await losePrimary(cluster, load, { checks, leave, how: "is cut from the network" });
}

type Leaving = { checks: Checks; leave: (primary: Member) => () => void; how: string };

async function losePrimary(
  cluster: Cluster,
  { requests }: Load,
  { checks, leave, how }: Leaving,
): Promise<void> {
  const primary = await currentPrimary(cluster);
  checks.step(`the host of the primary, ${primary.name}, ${how}`);
  const from = performance.now();
  const comeBack = leave(primary);
  try {
    const { failed, secondsToWrite } = await untilOver(requests, from);
    checks.expect(
      secondsToWrite < 30,
      `writes again after ${secondsToWrite.toFixed(1)} s, less than 30`,
    );
    expectRefusals(checks, failed);
    await wait(Math.max(0, from + 45_000 - performance.now()));
  } finally {
    comeBack();
  }
  checks.step("the host is back");
  const back = performance.now();
  await expectAnother(cluster, primary, checks);
  expectRefusals(checks, (await untilOver(requests, back)).failed);
}

/** A replica has become the primary, and the old one follows it. */
async function expectAnother(cluster: Cluster, old: Member, checks: Checks): Promise<void> {
  const from = performance.now();
  await cluster.patroni.waitUntilWhole();
  const primary = await currentPrimary(cluster);
  checks.expect(primary.name !== old.name, `${primary.name} is the primary now`);
  for (const replica of cluster.patroni.members)
    if (replica !== primary)
      await waitUntil(
        `all nodes read from ${replica.name}`,
        () => isRead(cluster, replica, "by all"),
        {
          seconds: 180,
        },
      );
  checks.say(
    `both replicas follow it and are read from ${((performance.now() - from) / 1_000).toFixed(1)} s later`,
  );
}

async function currentPrimary({ patroni }: Cluster): Promise<Member> {
  const primary = await patroni.primary();
  if (!primary) throw new Error("PostgreSQL has no primary.");
  return primary;
}

export async function asynchronousReplica({ patroni }: Cluster): Promise<Member> {
  const others = [await patroni.primary(), await patroni.synchronousReplica()];
  const replica = patroni.members.find((member) => !others.includes(member));
  if (!replica) throw new Error("There is no asynchronous replica.");
  return replica;
}

/**
 * That each node reads from both replicas while all members are well, and that no metric says that a replica is out:
 * the nodes have the primary's address among those of replicas.
 */
export async function expectNoneOut({ nodes, patroni }: Cluster, checks: Checks): Promise<void> {
  await patroni.waitUntilWhole();
  const uses = async () =>
    await Promise.all(
      nodes.map(async ({ name, metricsUrl }) => {
        const metrics = await (await fetch(metricsUrl)).text();
        const used = [...metrics.matchAll(/^secondlap_replica_used\{.*\} (\d)/gm)];
        return { name, used: used.map(([, value]) => value).join() };
      }),
    );
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

/** Whether all nodes, or none, read from a replica, as their metrics say. */
export async function isRead(
  { nodes }: Cluster,
  { host }: Member,
  by: "by all" | "by none",
): Promise<boolean> {
  const uses = await Promise.all(
    nodes.map(async ({ metricsUrl }) => {
      const metrics = await (await fetch(metricsUrl)).text();
      const line = new RegExp(`^secondlap_replica_used\\{[^}]*"${host}:5432"[^}]*\\} (\\d)`, "m");
      return line.exec(metrics)?.[1];
    }),
  );
  return uses.every((used) => used === (by === "by all" ? "1" : "0"));
}
