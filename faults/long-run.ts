import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";

/**
 * In `npm run faults -- --minutes 10 --seed 7`, a suite starts no more tests after 10 minutes.
 * Without `--minutes`, suites are as brief as in `npm test`. `npm run fuzz -- --requests 10000`
 * sends 10,000 requests. A seed repeats the random choices of a run.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "0" },
    requests: { type: "string", default: "10000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", default: "faults/" },
    // A regular expression that test names must match, such as the name of an initial state.
    tests: { type: "string", default: "" },
  },
});
const runOptions = { seed: Number(values.seed), minutes: Number(values.minutes) };
console.log(`${values.only}, with --seed ${runOptions.seed} --minutes ${runOptions.minutes}.`);

const vitest = await createVitest("test", {
  run: true,
  watch: false,
  testTimeout: 12 * 3_600_000,
  // One file at a time, because the tests measure time.
  fileParallelism: false,
  setupFiles: ["faults/skip-when-out-of-time.ts"],
  reporters: ["verbose"],
  ...(values.tests !== "" && { testNamePattern: values.tests }),
});
vitest.provide("effort", runOptions);
vitest.provide("fuzz", { requests: Number(values.requests), seed: runOptions.seed });
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // Vite and Vitest would exit immediately and leave the suites' servers and PostgreSQL running.
  process.removeAllListeners(signal);
  process.once(signal, () => void vitest.cancelCurrentRun("keyboard-input"));
}
await vitest.start([values.only]);
await vitest.close();
