import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";

/**
 * `npm run faults -- --minutes 10 --seed 7`: every interleaving, 200 kills, and so many minutes of random
 * commands; without minutes the brief run of `npm test`. The same seed makes the same choices.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "0" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", default: "faults/" },
    // A regular expression of the tests' names, such as a state of the interleavings.
    tests: { type: "string", default: "" },
  },
});
const runOptions = { seed: Number(values.seed), minutes: Number(values.minutes) };
console.log(`The fault suite, with --seed ${runOptions.seed} --minutes ${runOptions.minutes}.`);

const vitest = await createVitest("test", {
  run: true,
  watch: false,
  testTimeout: 12 * 3_600_000,
  // One file at a time, as the tests measure times.
  fileParallelism: false,
  reporters: ["verbose"],
  ...(values.tests !== "" && { testNamePattern: values.tests }),
});
vitest.provide("effort", runOptions);
await vitest.start([values.only]);
await vitest.close();
