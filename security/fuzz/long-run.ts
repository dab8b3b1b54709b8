import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";

/** `npm run fuzz -- --requests 10000 --seed 7` sends 10,000 requests. A seed repeats a run. */
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "10000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const fuzz = { requests: Number(values.requests), seed: Number(values.seed) };
console.log(`Fuzzing, with --requests ${fuzz.requests} --seed ${fuzz.seed}.`);

const vitest = await createVitest("test", {
  run: true,
  watch: false,
});
vitest.provide("fuzz", fuzz);
await vitest.start(["security/fuzz/"]);
await vitest.close();
