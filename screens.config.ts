import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";

/** `npm run screens`: pictures of every page for docs/screens, taken as the tests in the browser are. */
export default defineConfig(tests, {
  testMatch: "screens/screenshots.ts",
  globalTeardown: "./e2e/screens/index.ts",
});
