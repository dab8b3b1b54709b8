import { mkdtempSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const port = Number(process.env.E2E_PORT ?? 4310);
const baseURL = `http://127.0.0.1:${port}`;
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), "secondlap-e2e-"));

export default defineConfig({
  testDir: "e2e",
  // Node runs TypeScript itself. Transpiling every file would add seconds to each start.
  build: { external: ["**/*.ts"] },
  // Firebase tests run with the emulator (`npm run test:firebase`).
  testMatch: process.env.FIREBASE_AUTH_EMULATOR_HOST ? "**/*.emulator.ts" : "**/*.e2e.ts",
  fullyParallel: true,
  // Tests spend time waiting. Beyond four workers, the tested server is the bottleneck.
  workers: Math.min(availableParallelism() + 1, 4),
  // Long, so that a test times out only if an event never happens, even on a slow machine.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  outputDir: "test-results/e2e",
  snapshotPathTemplate: "{testDir}/components/{arg}{ext}",
  // Other systems render fonts differently (decisions/pages).
  ignoreSnapshots: process.platform !== "linux",
  reporter: process.env.CI ? "line" : "list",
  use: {
    baseURL,
    // Animations cost a sixth of the CPU time. Tests of animations turn them on.
    reducedMotion: "reduce",
    screenshot: "only-on-failure",
    // A service worker would bypass `page.route`.
    serviceWorkers: "block",
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      // Chromium's sandbox does not run as root. Tests only open our own pages.
      chromiumSandbox: process.getuid?.() !== 0,
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Pages that are open for seconds don't earn back what optimizing their scripts costs.
        "--js-flags=--no-opt --no-maglev",
      ],
    },
  },
  webServer: {
    command: "node server/main.ts",
    url: `${baseURL}/readyz`,
    timeout: 120_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    stdout: "pipe",
    env: {
      NODE_ENV: "test",
      PORT: String(port),
      SANDBOX_PORT: String(port + 1),
      // The server starts its own PostgreSQL here.
      DATA_DIR: process.env.E2E_DATA_DIR,
      // On an overloaded machine, calls should wait instead of failing with 503.
      DATABASE_TIMEOUT: "40",
      LOG_LEVEL: "error",
      RATE_LIMIT: "off",
      PASSWORD_HASHING: "quick",
      DEMO: "1",
      DEMO_PHOTOS: "small",
    },
  },
});
