import { defineConfig } from "vitest/config";

/** What comes by itself, such as a job's work, is waited for so long: a busy machine is slow. */
const expect = { poll: { timeout: 10_000 } };

export default defineConfig({
  test: {
    globalSetup: "server/testing/postgres.ts",
    projects: [
      {
        test: {
          name: "shop",
          // The program is loaded once a worker, not once a file; every test has a shop of its own anyhow.
          isolate: false,
          // Much of it waits for PostgreSQL, which leaves no core over where there are two.
          maxWorkers: "100%",
          // Some start whole programs, in two or three seconds alone, in twenty where others use the machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect,
          include: ["{contract,server,sandbox,demo,web,scripts,e2e,security}/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "faults",
          // Each of these does hundreds of things, and says what it measures itself.
          testTimeout: 300_000,
          hookTimeout: 60_000,
          expect,
          include: ["faults/**/*.test.ts"],
          // After the others: what is killed and measured here would be in their way. Much of it waits.
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
        },
      },
    ],
  },
});
