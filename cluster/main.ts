import { parseArgs } from "node:util";
import { Checks } from "./checks.ts";
import { startCluster } from "./cluster.ts";
import { checkConsistency } from "./consistency.ts";
import { measureCpu } from "./cpu.ts";
import { faultNames, runFaults } from "./faults.ts";
import { openLoad, runLoad } from "./load.ts";
import { Machine } from "./machine.ts";
import { readOwnWrites } from "./own-reads.ts";

/**
 * `npm run cluster`: builds a cluster on this machine, runs a mixed load with faults for `--minutes`, makes so many
 * `--reads` of own writes, and measures CPU; `--only load,reads,cpu` chooses. `--faults deploy,kill-node` says which
 * faults, `--keep` leaves the folder with logs and requests.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    reads: { type: "string", default: "100000" },
    only: { type: "string", default: "load,reads,cpu" },
    faults: { type: "string", default: faultNames.join(",") },
    keep: { type: "boolean", default: false },
  },
});

const machine = await Machine.open().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
let closing: Promise<void> | undefined;
const close = () => {
  closing ??= machine.close({ keepFolder: values.keep });
  return closing;
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => void close().then(() => process.exit(130)));

try {
  const checks = new Checks();
  const cluster = await startCluster(machine, checks.step);
  const load = await openLoad(cluster);
  if (values.only.includes("load")) {
    checks.step(`a mixed load for ${values.minutes} minutes`);
    const options = { minutes: Number(values.minutes), chosen: values.faults.split(",") };
    await runLoad(load, cluster, () => runFaults(cluster, load, { ...options, checks }));
    await checkConsistency(load, checks);
    await machine.writeFile("requests.json", JSON.stringify(load.requests.attempts));
  }
  if (values.only.includes("reads"))
    await readOwnWrites(cluster, load, { checks, reads: Number(values.reads) });
  if (values.only.includes("cpu")) await measureCpu(cluster, load, checks);
  await load.close();
  process.exitCode = checks.finish() ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
} finally {
  await close();
}
process.exit();
