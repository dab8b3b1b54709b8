import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";

/** `npm run screens`: pictures of every page for docs/screens, with the setup of browser tests. */
export default defineConfig(tests, {
  testMatch: "screens/screenshots.ts",
  globalTeardown: "./e2e/screens/index.ts",
});
