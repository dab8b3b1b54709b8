import { join } from "node:path";
import { test as base } from "./fixtures.ts";

/** The Auth emulator, started by `npm run test:firebase`. */
export const emulator = `http://${process.env.FIREBASE_AUTH_EMULATOR_HOST}`;
export const project = String(process.env.FIREBASE_PROJECT_ID);

export const test = base.extend<{ outside: undefined }>({
  /** Blocks HTTPS sites. The emulator's popup needs only a stub of Google's frame script. */
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
  // The `page` of `fixtures.ts` would sign in to the embedded identity service.
  page: async ({ context }, use) => use(await context.newPage()),
  // Firebase's 400 for a wrong password, and the popup's blocked files.
  expectedErrors: [/status of 400|ERR_FAILED https:\/\/(unpkg|fonts)/],
});
