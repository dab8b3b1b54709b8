import { install } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

/**
 * `npm run bench:growth` and `bench:queries`: the measurements in `lab/bench/*.measure.ts`, which
 * need a shop of the tests.
 */
await finish(async () => {
  await install();
  const env = environment({ MEASURE: "1" });
  // One at a time, because each counts what the whole server does.
  const command = ["vitest", "run", "--no-file-parallelism", ...process.argv.slice(2)];
  return (await run(command, { env, stdio: "inherit" })).code;
});
