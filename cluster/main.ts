import { parseArgs } from "node:util";
import { Checks } from "./checks.ts";
import { startCluster } from "./cluster.ts";
import { checkConsistency } from "./consistency.ts";
import { faultNames, runFaults } from "./faults.ts";
import { openLoad, runLoad } from "./load.ts";
import { Machine } from "./machine.ts";

/**
 * `npm run cluster`: builds a cluster on this machine and runs a mixed load with faults; `-- --minutes N` says how long,
 * `--faults deploy,kill-node` which of them, `--keep` leaves its folder with logs and requests.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
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
  checks.step(`a mixed load for ${values.minutes} minutes`);
  const options = { minutes: Number(values.minutes), chosen: values.faults.split(",") };
  await runLoad(load, cluster, () => runFaults(cluster, load, { ...options, checks }));
  await checkConsistency(load, checks);
  await machine.writeFile("requests.json", JSON.stringify(load.requests.attempts));
  await load.close();
  process.exitCode = checks.finish() ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
} finally {
  await close();
}
process.exit();
