import { defineConfig } from "vitest/config";

/** So long that a busy machine fails nothing; a success ends each wait early. */
const expect = { poll: { timeout: 60_000 } };
const timeouts = { testTimeout: 600_000, hookTimeout: 600_000, expect };

export default defineConfig({
  test: {
    globalSetup: "server/testing/postgres.ts",
    projects: [
      {
        test: {
          name: "shop",
          // Modules are loaded once per worker; every file opens an app of its own.
          isolate: false,
          // Tests wait for PostgreSQL much of the time.
          maxWorkers: "100%",
          ...timeouts,
          include: ["{contract,server,sandbox,demo,web,scripts,e2e,security}/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "faults",
          ...timeouts,
          include: ["faults/**/*.test.ts"],
          // After the other project: these kill processes and measure times.
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
        },
      },
    ],
  },
});
