import { parseArgs } from "node:util";
import { install } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

const { values, positionals } = parseArgs({
  options: { reads: { type: "string", default: "3000" } },
  allowPositionals: true,
});

/**
 * `npm run test:replicas`: tests with real, lagging and dead replicas, and with a failover. Paths
 * select test files. `-- --reads 100000` makes the read test longer.
 */
await finish(async () => {
  await install();
  const env = environment({ TEST_REPLICAS: values.reads });
  // Runs one file at a time, because each file starts its own servers and measures durations.
  const command = ["vitest", "run", "--no-file-parallelism", ...positionals];
  return (await run(command, { env, stdio: "inherit" })).code;
});
