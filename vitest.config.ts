import { defineConfig } from "vitest/config";

const limits = { testTimeout: 20_000, hookTimeout: 30_000 };

export default defineConfig({
  test: {
    globalSetup: "server/testing/postgres.ts",
    projects: [
      {
        test: {
          ...limits,
          name: "shop",
          include: ["{contract,server,sandbox,demo,web,scripts,e2e,security}/**/*.test.ts"],
        },
      },
      {
        test: {
          ...limits,
          name: "faults",
          include: ["faults/**/*.test.ts"],
          // After the others: what is killed and measured here would be in their way. Much of it waits.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
        },
      },
    ],
  },
});
