import { setTimeout as wait } from "node:timers/promises";
import type { Checks } from "./checks.ts";
import type { Cluster } from "./cluster.ts";
import {
  cutPrimary,
  freezePrimary,
  killEtcd,
  killPrimary,
  restartPooler,
} from "./database-faults.ts";
import type { Load } from "./load.ts";
import { deploy, killNode } from "./node-faults.ts";
import { canCut } from "./patroni.ts";
import { cutReplica, stopReplay } from "./replica-faults.ts";

/** In order. `after`: the earliest start of a fault, as a fraction of the total time. */
const schedule = {
  "kill-etcd": { run: killEtcd, after: 0.02 },
  "kill-node": { run: killNode, after: 0.08 },
  deploy: { run: deploy, after: 0.18 },
  "stop-replay": { run: stopReplay, after: 0.34 },
  "cut-replica": { run: cutReplica, after: 0.4 },
  "restart-pooler": { run: restartPooler, after: 0.49 },
  "kill-primary": { run: killPrimary, after: 0.54 },
  "cut-primary": { run: cutPrimary, after: 0.63 },
  "freeze-primary": { run: freezePrimary, after: 0.79 },
};

export type Fault = keyof typeof schedule;

/** The faults that this user can cause. Cutting a host off the network needs root and iptables. */
export const possibleFaults = (Object.keys(schedule) as Fault[]).filter(
  (name) => !name.startsWith("cut-") || canCut(),
);

/** `done` collects the faults that have completed. */
type Options = { minutes: number; chosen: Fault[]; done: Fault[] };

export async function runFaults(
  cluster: Cluster,
  load: Load,
  { checks, minutes, chosen, done }: Options & { checks: Checks },
): Promise<void> {
  const startedAt = Date.now();
  const until = async (part: number) =>
    await wait(Math.max(0, startedAt + part * minutes * 60_000 - Date.now()));
  for (const name of possibleFaults.filter((one) => chosen.includes(one))) {
    const { run, after } = schedule[name];
    await until(after);
    await run(cluster, load, checks);
    done.push(name);
  }
  await until(1);
}
