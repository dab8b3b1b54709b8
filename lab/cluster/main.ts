import { parseArgs } from "node:util";
import { z } from "zod";
import { Checks } from "./checks.ts";
import { startCluster } from "./cluster.ts";
import { checkConsistency } from "./consistency.ts";
import { possibleFaults, runFaults } from "./faults.ts";
import { openLoad, runLoad } from "./load.ts";
import { Machine } from "./machine.ts";
import { expectNoneOut } from "./replica-faults.ts";

/**
 * `npm run cluster` runs a mixed load with faults for `--minutes`. `--faults deploy,kill-node`
 * selects faults. `--keep` keeps logs and requests.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    faults: { type: "string", default: possibleFaults.join(",") },
    keep: { type: "boolean", default: false },
  },
});

const options = z
  .object({
    minutes: z.coerce.number().positive(),
    faults: z.preprocess(
      (names) => [...new Set(String(names).split(/ *, */))],
      z.array(z.enum(possibleFaults)),
    ),
  })
  .safeParse(values);
if (!options.success) end(new Error(z.prettifyError(options.error)));
const { minutes, faults: chosen } = options.data;

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
  checks.step(`a mixed load for ${minutes} minutes, with the faults ${chosen.join(", ")}`);
  const faults = { minutes, chosen, checks, done: [] };
  await runLoad(load, () => runFaults(cluster, load, faults));
  const { length } = faults.done;
  checks.expect(length === chosen.length, `faults: ${length} of ${chosen.length}`);
  await checkConsistency(load, { checks, minutes });
  await expectNoneOut(cluster, checks);
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
