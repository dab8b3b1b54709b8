import { mkdtempSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const port = Number(process.env.E2E_PORT ?? 4310);
const baseURL = `http://127.0.0.1:${port}`;
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), "secondlap-e2e-"));

/** Everything people do, in a real browser against the whole program on a data folder of its own. */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.e2e.ts",
  fullyParallel: true,
  // One per core; beyond four, the one server under test is what they wait for.
  workers: Math.min(availableParallelism(), 4),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: "test-results/e2e",
  snapshotPathTemplate: "{testDir}/components/{arg}{ext}",
  // The pictures are Linux's, whose letters have other edges than a Mac's (decision 0015).
  ignoreSnapshots: process.platform !== "linux",
  reporter: process.env.CI ? "line" : "list",
  use: {
    baseURL,
    screenshot: "only-on-failure",
    // What a test routes must not pass through the worker of the page for being offline.
    serviceWorkers: "block",
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      // Chromium refuses its sandbox as root; what it opens here is our own program.
      chromiumSandbox: process.getuid?.() !== 0,
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: "node server/main.ts",
    url: `${baseURL}/readyz`,
    timeout: 120_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    env: {
      NODE_ENV: "test",
      PORT: String(port),
      SANDBOX_PORT: String(port + 1),
      DATA_DIR: process.env.E2E_DATA_DIR,
      RATE_LIMIT: "off",
      PASSWORD_HASHING: "quick",
      DEMO: "1",
    },
  },
});
