import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { createSignedInMember } from "../../faults/load/load-clients.ts";
import type { Checks } from "./checks.ts";
import type { Cluster } from "./cluster.ts";
import type { Load } from "./load.ts";
import type { Node } from "./nodes.ts";
import { waitUntil } from "./wait-until.ts";

/** The number of requests grows with the nodes, because nodes are added for additional visitors. */
const requestsPerNode = 1_500;
/**
 * Well below the capacity of a core. Clients at full speed would measure how nodes share the
 * machine's cores (decisions/running-nodes).
 */
const requestsPerNodeAndSecond = 100;
const clientsPerNode = 8;
const rounds = 5;
/** A tick of the kernel's CPU clock (proc(5), USER_HZ), in milliseconds. */
const tickMs = 10;

/**
 * Measures CPU per request with one, two or three nodes that each carry the same load. Uses medians
 * of interleaved rounds.
 */
export async function measureCpu(cluster: Cluster, load: Load, checks: Checks): Promise<void> {
  checks.step(
    `CPU per request with 1, 2 and 3 nodes, ${rounds} rounds of ${requestsPerNode} requests to each, ${requestsPerNodeAndSecond} a second`,
  );
  const { token } = await createSignedInMember(load.db, "buyer");
  const ask = (nodes: number) => sendRequests({ cluster, load, token, nodes });
  const restMs = await cpuAtRest(cluster);
  checks.say(`a node that nobody asks uses ${restMs.toFixed(1)} ms of CPU a second`);
  const measured: Record<number, number[]> = { 1: [], 2: [], 3: [] };
  // Each node first runs alone, until its code is compiled and its cache is full.
  for (const [only] of cluster.nodes.entries())
    await cpuOf(
      cluster,
      cluster.nodes.map((_, index) => index === only),
      { ask, restMs: 0 },
    );
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [1, 2, 3] : [3, 2, 1];
    for (const count of order) {
      // Uses different nodes from round to round.
      const used = cluster.nodes.map((_, index) => (index + 3 - (round % 3)) % 3 < count);
      measured[count]?.push(await cpuOf(cluster, used, { ask, restMs }));
    }
  }
  await spreadOver(cluster, [true, true, true]);
  const medians = Object.values(measured).map(
    (values) => values.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0,
  );
  const difference = (Math.max(...medians) / Math.min(...medians) - 1) * 100;
  const figures = medians.map((ms) => `${ms.toFixed(2)} ms`).join(", ");
  checks.expect(
    difference < 10,
    `CPU per request beyond that with 1, 2, 3 nodes: ${figures}; they differ by ${difference.toFixed(1)} %, less than 10`,
  );
}

const restSeconds = 20;

/** CPU milliseconds per second of an idle node: health checks, replicas, outbox, timers. */
async function cpuAtRest({ nodes }: Cluster): Promise<number> {
  const before = nodes.map(cpuTicks);
  await wait(restSeconds * 1_000);
  return cpuSince(nodes, before) / nodes.length / restSeconds;
}

type Asking = { ask: (nodes: number) => Promise<void>; restMs: number };

/** CPU milliseconds per request on the used nodes, minus their idle CPU time. */
async function cpuOf(cluster: Cluster, used: boolean[], { ask, restMs }: Asking): Promise<number> {
  await spreadOver(cluster, used);
  const nodes = cluster.nodes.filter((_, index) => used[index]);
  const before = nodes.map(cpuTicks);
  const startedAt = performance.now();
  await ask(nodes.length);
  const atRest = (restMs * nodes.length * (performance.now() - startedAt)) / 1_000;
  return (cpuSince(nodes, before) - atRest) / (requestsPerNode * nodes.length);
}

function cpuSince(nodes: Node[], before: number[]): number {
  const ticks = nodes.map((node, index) => cpuTicks(node) - (before[index] ?? 0));
  return ticks.reduce((sum, one) => sum + one, 0) * tickMs;
}

async function spreadOver({ haproxy, nodes }: Cluster, used: boolean[]): Promise<void> {
  for (const [index, { name }] of nodes.entries()) await haproxy.use(name, used[index] === true);
  const count = used.filter(Boolean).length;
  await waitUntil(
    `HAProxy uses ${count} nodes`,
    async () => (await haproxy.nodes()).length === count,
  );
}

/** User and system time of a process since its start (proc(5), fields 14 and 15). */
function cpuTicks({ pid }: Node): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

type Sending = { cluster: Cluster; load: Load; token: () => Promise<string>; nodes: number };

/** Sends public pages and calls, searches, a member's list and writes, always in the same mix. */
async function sendRequests({ cluster, load, token, nodes }: Sending): Promise<void> {
  const { haproxy } = cluster;
  const { products } = load;
  const requests = requestsPerNode * nodes;
  const own = { authorization: `Bearer ${await token()}` };
  let sent = 0;
  let refused = 0;
  const startedAt = performance.now();
  const pauseMs = 1_000 / (requestsPerNodeAndSecond * nodes);
  const client = async () => {
    for (let n = sent++; n < requests; n = sent++) {
      await wait(Math.max(0, startedAt + n * pauseMs - performance.now()));
      const product = products[n % products.length];
      const path = [
        `/api/products/byId/${product}`,
        `/api/search?q=thinkpad&minPrice=${n % 600}`,
        "/api/savedProducts/ids",
        "/",
        `/api/savedProducts/${product}`,
      ][n % 5];
      const isWrite = n % 5 === 4;
      const answer = await fetch(`${haproxy.url}${path}`, {
        headers: isWrite || n % 5 === 2 ? own : {},
        ...(isWrite && { method: "PUT" }),
      });
      await answer.arrayBuffer();
      if (answer.status === 503) refused += 1;
      else if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: clientsPerNode * nodes }, client));
  if (refused > requests / 100) throw new Error(`${refused} of ${requests} requests were refused`);
}
