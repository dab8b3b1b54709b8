import { install } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

/**
 * `npm run bench:growth` and `bench:queries`: run the measurements in `lab/bench/*.measure.ts`,
 * which need the test setup of a shop.
 */
await finish(async () => {
  await install();
  const env = environment({ MEASURE: "1" });
  // One file at a time, because each measurement counts the work of the whole server.
  const command = ["vitest", "run", "--no-file-parallelism", ...process.argv.slice(2)];
  return (await run(command, { env, stdio: "inherit" })).code;
});
