import { install } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

/** `npm run bench:growth`, `bench:queries`: measurements that need a shop of the tests, each in a file `lab/bench/*.measure.ts`. */
await finish(async () => {
  await install();
  const env = environment({ MEASURE: "1" });
  // One after the other: each counts what the whole server does.
  const command = ["vitest", "run", "--no-file-parallelism", ...process.argv.slice(2)];
  return (await run(command, { env, stdio: "inherit" })).code;
});
