import { parseArgs } from "node:util";
import { z } from "zod";
import { Checks } from "./checks.ts";
import { startCluster } from "./cluster.ts";
import { checkConsistency } from "./consistency.ts";
import { possibleFaults, runFaults } from "./faults.ts";
import { openLoad, runLoad } from "./load.ts";
import { Machine } from "./machine.ts";
import { readOwnWrites } from "./own-reads.ts";
import { expectNoneOut } from "./replica-faults.ts";

/**
 * `npm run cluster` runs a mixed load with faults for `--minutes`, then reads members' own writes
 * `--reads` times. `--only load,reads` and `--faults deploy,kill-node` select parts. `--keep` keeps
 * logs and requests.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    reads: { type: "string", default: "100000" },
    only: { type: "string", default: "load,reads" },
    faults: { type: "string", default: possibleFaults.join(",") },
    keep: { type: "boolean", default: false },
  },
});

const amount = z.coerce.number().positive();
const namesOf = <const Name extends string>(known: readonly Name[]) =>
  z.preprocess((names) => [...new Set(String(names).split(/ *, */))], z.array(z.enum(known)));

/** An invalid option ends the program before anything is built. */
const options = z
  .object({
    minutes: amount,
    reads: amount,
    only: namesOf(["load", "reads"]),
    faults: namesOf(possibleFaults),
  })
  .safeParse(values);
if (!options.success) end(new Error(z.prettifyError(options.error)));
const { minutes, reads, only, faults: chosen } = options.data;

function end({ message }: Error): never {
  console.error(message);
  process.exit(1);
}

const machine = await Machine.open().catch(end);
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
  if (only.includes("load")) {
    checks.step(`a mixed load for ${minutes} minutes, with the faults ${chosen.join(", ")}`);
    const faults = { minutes, chosen, checks, done: [] };
    await runLoad(load, cluster, () => runFaults(cluster, load, faults));
    const { length } = faults.done;
    checks.expect(length === chosen.length, `faults: ${length} of ${chosen.length}`);
    await checkConsistency(load, { checks, minutes });
    await expectNoneOut(cluster, checks);
    await machine.writeFile("requests.json", JSON.stringify(load.requests.attempts));
  }
  if (only.includes("reads")) await readOwnWrites(cluster, load, { checks, reads });
  await load.close();
  process.exitCode = checks.finish() ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
} finally {
  await close();
}
process.exit();
