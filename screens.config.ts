import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";

/** `npm run screens`: takes the screenshots in docs/screens with the browser tests' settings. */
export default defineConfig(tests, {
  testMatch: "screens/screenshots.ts",
  globalTeardown: "./e2e/screens/index.ts",
});
