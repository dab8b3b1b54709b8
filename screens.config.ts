import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";

/** `npm run screens`: takes screenshots of every page for docs/screens, like the browser tests. */
export default defineConfig(tests, {
  testMatch: "screens/screenshots.ts",
  globalTeardown: "./e2e/screens/index.ts",
});
