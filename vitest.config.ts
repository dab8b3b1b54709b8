import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{contract,server,sandbox,demo,web,scripts,e2e,security}/**/*.test.ts"],
    globalSetup: "server/testing/postgres.ts",
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
