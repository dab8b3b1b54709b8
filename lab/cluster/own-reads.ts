import { setTimeout as wait } from "node:timers/promises";
import { createSignedInMember } from "../../faults/load/load-clients.ts";
import type { Checks } from "./checks.ts";
import type { Cluster } from "./cluster.ts";
import type { Load } from "./load.ts";
import type { Member } from "./patroni.ts";
import { asynchronousReplica, isRead } from "./replica-faults.ts";
import { waitUntil } from "./wait-until.ts";

const delayMs = 300;
const members = 8;
const readsPerWrite = 5;

/** Reads from any node right after each write, while one replica lags up to 300 ms. */
export async function readOwnWrites(
  cluster: Cluster,
  load: Load,
  { checks, reads }: { checks: Checks; reads: number },
): Promise<void> {
  const { nodes } = cluster;
  const late = await asynchronousReplica(cluster);
  checks.step(`${reads} reads of own writes, with ${late.name} up to ${delayMs} ms late`);
  await waitUntil("all nodes read from it", () => isRead(cluster, late, "by all"));
  const before = await readsByReplicas(cluster);
  const counts = { reads: 0, stale: 0, failed: 0 };
  const clients = Array.from({ length: members }, (_, index) =>
    toggleAndRead(cluster, load, { counts, reads, turn: index }),
  );
  const ended = new AbortController();
  const delaying = delayReplay(cluster, late, ended.signal);
  await Promise.all(clients).finally(() => ended.abort());
  await delaying;
  const { stale, failed } = counts;
  checks.expect(
    stale === 0,
    `stale own reads: ${stale} of ${counts.reads}, at ${nodes.length} nodes`,
  );
  checks.expect(failed === 0, `requests failed: ${failed}`);
  const answered = (await readsByReplicas(cluster)) - before;
  // 25% is far below the 85% measured in a run of 100,015 reads.
  checks.expect(
    answered > counts.reads / 4,
    `${Math.round((answered / counts.reads) * 100)} % were answered by replicas, more than 25`,
  );
}

/** Until `ended` aborts, the replica replays received changes only every 300 ms. */
async function delayReplay({ patroni }: Cluster, late: Member, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const goOn = patroni.stopReplay(late);
    await wait(delayMs);
    goOn();
    await wait(20);
  }
}

type Turns = {
  counts: { reads: number; stale: number; failed: number };
  reads: number;
  turn: number;
};

async function toggleAndRead(
  { haproxy }: Cluster,
  { db, products }: Load,
  { counts, reads, turn }: Turns,
): Promise<void> {
  const { token } = await createSignedInMember(db, "buyer");
  const product = products[turn] ?? "";
  const path = `${haproxy.url}/api/savedProducts`;
  for (let isSaved = true; counts.reads < reads; isSaved = !isSaved) {
    const headers = { authorization: `Bearer ${await token()}` };
    const method = isSaved ? "PUT" : "DELETE";
    const written = await fetch(`${path}/${product}`, { method, headers });
    await written.arrayBuffer();
    if (!written.ok) counts.failed += 1;
    // After a failed write, the expected state is unknown.
    for (let n = 0; written.ok && n < readsPerWrite; n += 1) {
      const answer = await fetch(`${path}/ids`, { headers });
      const { ids } = (await answer.json()) as { ids?: string[] };
      counts.reads += 1;
      if (!ids) counts.failed += 1;
      else if (ids.includes(product) !== isSaved) counts.stale += 1;
    }
  }
}

/** Reads that the replicas have served for all nodes. */
async function readsByReplicas({ nodes }: Cluster): Promise<number> {
  const counts = nodes.map(async ({ metricsUrl }) => {
    const metrics = await (await fetch(metricsUrl)).text();
    const lines = metrics.matchAll(/^secondlap_replica_reads_total\{[^}]*"127[^}]*\} (\d+)/gm);
    return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
