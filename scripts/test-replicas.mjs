import { install } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

/**
 * `npm run test:replicas`: every call that may read from a replica on a real one, a lagging and a dead replica, reads
 * of one's own writes, and a failover. `-- --reads 100000` makes the run of the reads long.
 */
await finish(async () => {
  await install();
  const [flag, reads = ""] = process.argv.slice(2);
  const env = environment({ TEST_REPLICAS: flag === "--reads" ? reads : "3000" });
  return (await run(["vitest", "run"], { env, stdio: "inherit" })).code;
});
