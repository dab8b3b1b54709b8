import { setTimeout as wait } from "node:timers/promises";
import type { Checks } from "./checks.ts";
import type { Cluster } from "./cluster.ts";
import type { Load } from "./load.ts";
import { expectRecovery } from "./outage.ts";
import type { Member } from "./patroni.ts";
import { untilRead } from "./replica-faults.ts";

export async function restartPooler(
  { pgbouncer }: Cluster,
  load: Load,
  checks: Checks,
): Promise<void> {
  checks.step("PgBouncer is restarted");
  const from = performance.now();
  await pgbouncer.restart();
  await expectRecovery(load, checks, { from, seconds: 5 });
}

/** Kills etcd's leader. PostgreSQL's primary must stay the same. */
export async function killEtcd(cluster: Cluster, load: Load, checks: Checks): Promise<void> {
  const primary = await currentPrimary(cluster);
  const from = performance.now();
  const { name, restart } = await cluster.etcd.killLeader();
  checks.step(`kill -9 of ${name}, which leads the three etcd`);
  await expectRecovery(load, checks, { from, seconds: 5 });
  const now = await currentPrimary(cluster);
  checks.expect(now.name === primary.name, `${now.name} is the primary, as before`);
  await restart();
}

/** Kills PostgreSQL on the primary's host, where Patroni keeps running. */
export async function killPrimary(cluster: Cluster, load: Load, checks: Checks): Promise<void> {
  const { patroni } = cluster;
  const primary = await currentPrimary(cluster);
  checks.step(`kill -9 of the primary, ${primary.name}`);
  const from = performance.now();
  patroni.killPostgres(primary);
  await expectRecovery(load, checks, { from, seconds: 15 });
  await expectAnother(cluster, primary, checks);
}

/** Freezes the primary's host for at least 45 seconds. Its connections stay open but silent. */
export async function freezePrimary(cluster: Cluster, load: Load, checks: Checks): Promise<void> {
  const leave = (primary: Member) => cluster.patroni.freezeHost(primary);
  await losePrimary(cluster, load, { checks, leave, how: "is gone" });
}

/** Cuts the primary's host off the network for at least 45 seconds. The host continues to run. */
export async function cutPrimary(cluster: Cluster, load: Load, checks: Checks): Promise<void> {
  const leave = (primary: Member) => cluster.patroni.cutHost(primary);
  await losePrimary(cluster, load, { checks, leave, how: "is cut from the network" });
}

type Leaving = { checks: Checks; leave: (primary: Member) => () => void; how: string };

async function losePrimary(
  cluster: Cluster,
  load: Load,
  { checks, leave, how }: Leaving,
): Promise<void> {
  const primary = await currentPrimary(cluster);
  checks.step(`the host of the primary, ${primary.name}, ${how}`);
  const from = performance.now();
  const comeBack = leave(primary);
  try {
    await expectRecovery(load, checks, { from, seconds: 30 });
    await wait(Math.max(0, from + 45_000 - performance.now()));
  } finally {
    comeBack();
  }
  checks.step("the host is back");
  const back = performance.now();
  await expectAnother(cluster, primary, checks);
  await expectRecovery(load, checks, { from: back });
}

async function expectAnother(cluster: Cluster, old: Member, checks: Checks): Promise<void> {
  const from = performance.now();
  await cluster.patroni.waitUntilWhole();
  const primary = await currentPrimary(cluster);
  checks.expect(primary.name !== old.name, `${primary.name} is the primary now`);
  for (const replica of cluster.patroni.members)
    if (replica !== primary) await untilRead(cluster, replica, "by all", { seconds: 180 });
  checks.say(
    `both replicas follow it and are read from ${((performance.now() - from) / 1_000).toFixed(1)} s later`,
  );
}

async function currentPrimary({ patroni }: Cluster): Promise<Member> {
  const primary = await patroni.primary();
  if (!primary) throw new Error("PostgreSQL has no primary.");
  return primary;
}
