import { defineConfig } from "vitest/config";

/** What happens when things break; `SEED` repeats a run, `MINUTES` makes it a long one. */
export default defineConfig({
  test: {
    include: ["faults/**/*.test.ts"],
    provide: {
      effort: { seed: Number(process.env.SEED ?? 1), minutes: Number(process.env.MINUTES ?? 0) },
    },
    globalSetup: "server/testing/postgres.ts",
    testTimeout: process.env.MINUTES ? 3_600_000 : 60_000,
    hookTimeout: 30_000,
    fileParallelism: false,
  },
});
