import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";

/**
 * `npm run faults -- --minutes 10 --seed 7`: every interleaving, 200 kills, and that many minutes of
 * whatever anybody may do; without minutes, what `npm test` runs of it. The seed repeats a run.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "0" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", default: "faults/" },
  },
});
const effort = { seed: Number(values.seed), minutes: Number(values.minutes) };
console.log(`The fault suite, with --seed ${effort.seed} --minutes ${effort.minutes}.`);

const vitest = await createVitest("test", {
  run: true,
  watch: false,
  project: "faults",
  testTimeout: 12 * 3_600_000,
  hookTimeout: 120_000,
  // One file after the other: what is measured and killed should have the machine for itself.
  fileParallelism: false,
});
vitest.provide("effort", effort);
await vitest.start([values.only]);
await vitest.close();
