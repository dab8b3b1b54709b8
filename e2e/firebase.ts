import { join } from "node:path";
import { test as base } from "./fixtures.ts";

/** Firebase's Auth emulator, which signs the shop's members in (`npm run test:firebase`). */
export const emulator = `http://${process.env.FIREBASE_AUTH_EMULATOR_HOST}`;
export const project = String(process.env.FIREBASE_PROJECT_ID);

export const test = base.extend<{ outside: undefined }>({
  /** Blocks other sites, from which the emulator's popup only needs Google's frame script. */
  outside: [
    async ({ context }, use) => {
      await context.route(/^https:/, (route) => route.abort());
      await context.route("https://apis.google.com/js/api.js*", (route) =>
        route.fulfill({ path: join(import.meta.dirname, "google-frames.js") }),
      );
      await use(undefined);
    },
    { auto: true },
  ],
  // The page in `fixtures.ts` signs in to the embedded service.
  page: async ({ context }, use) => use(await context.newPage()),
  // Firebase answers wrong passwords with 400, and the popup's styles are blocked.
  expectedErrors: [/status of 400|ERR_FAILED https:\/\/(unpkg|fonts)/],
});
