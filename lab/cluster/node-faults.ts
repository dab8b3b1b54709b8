import { setTimeout as wait } from "node:timers/promises";
import type { Checks } from "./checks.ts";
import type { Cluster } from "./cluster.ts";
import type { Load } from "./load.ts";
import type { Node } from "./nodes.ts";
import { expectRefusals } from "./outage.ts";
import { isFailed } from "./requests.ts";
import { waitUntil } from "./wait-until.ts";

/** Fewer requests would prove nothing about a fault. */
const minAttempts = 100;

export async function killNode(
  cluster: Cluster,
  { requests }: Load,
  checks: Checks,
): Promise<void> {
  const [, node] = cluster.nodes;
  if (!node) throw new Error("There is no second node.");
  checks.step(`kill -9 of ${node.name}`);
  const from = performance.now();
  await node.kill();
  await wait(10_000);
  const attempts = requests.between(from, from + 10_000);
  const failed = attempts.filter(isFailed);
  checks.expect(
    attempts.length >= minAttempts && failed.length < attempts.length / 100,
    `${failed.length} of ${attempts.length} requests failed in 10 s, less than 1 % of at least ${minAttempts}`,
    failed,
  );
  expectRefusals(checks, failed);
  await node.start();
  await waitUntilUsed(cluster, node);
}

export async function deploy(cluster: Cluster, { requests }: Load, checks: Checks): Promise<void> {
  checks.step("a rolling deploy of all nodes");
  const from = performance.now();
  const codes: (number | null)[] = [];
  for (const node of cluster.nodes) {
    codes.push(await node.stop());
    await node.start();
    await waitUntilUsed(cluster, node);
  }
  await wait(5_000);
  const attempts = requests.between(from, performance.now());
  const failed = attempts.filter(isFailed);
  checks.expect(
    attempts.length >= minAttempts && failed.length === 0,
    `${failed.length} of ${attempts.length} requests failed, of at least ${minAttempts}`,
    failed,
  );
  checks.expect(
    codes.every((code) => code === 0),
    `exit codes of the nodes: ${codes.join(", ")}`,
  );
}

async function waitUntilUsed({ haproxy }: Cluster, { name }: Node): Promise<void> {
  await waitUntil(`HAProxy uses ${name}`, async () => (await haproxy.nodes()).includes(name));
}
