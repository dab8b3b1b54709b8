import { parseArgs } from "node:util";
import { install } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

const { values, positionals } = parseArgs({
  options: { reads: { type: "string", default: "3000" } },
  allowPositionals: true,
});

/**
 * `npm run test:replicas`: every call that may read from a replica on a real one, a lagging and a dead replica, reads
 * of one's own writes, and a failover. `-- --reads 100000` makes the run of the reads long; paths name the files.
 */
await finish(async () => {
  await install();
  const env = environment({ TEST_REPLICAS: values.reads });
  // One file after the other: each has servers of its own, and measures times.
  const command = ["vitest", "run", "--no-file-parallelism", ...positionals];
  return (await run(command, { env, stdio: "inherit" })).code;
});
