import { install } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

/**
 * `npm run bench:queries`: runs `lab/bench/queries.measure.ts`, which needs the test setup of a
 * shop.
 */
await finish(async () => {
  await install();
  const env = environment({ MEASURE: "1" });
  return (await run(["vitest", "run"], { env, stdio: "inherit" })).code;
});
