import { defineConfig } from "vitest/config";

/** `expect.poll` waits this long, so that a busy machine fails nothing. */
const expect = { poll: { timeout: 30_000 } };

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
          // Some start the whole server, which takes 20 seconds on a busy machine.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect,
          include: ["{contract,server,sandbox,demo,web,scripts,e2e,security}/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "faults",
          // Each runs hundreds of requests.
          testTimeout: 300_000,
          hookTimeout: 120_000,
          expect,
          include: ["faults/**/*.test.ts"],
          // After the other project: these kill processes and measure times.
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
        },
      },
    ],
  },
});
