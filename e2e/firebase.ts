import { join } from "node:path";
import { test as base } from "./fixtures.ts";

/** A shop that signs its members in with Firebase's Auth emulator (`npm run test:firebase`). */
export const emulator = `http://${process.env.FIREBASE_AUTH_EMULATOR_HOST}`;
export const project = String(process.env.FIREBASE_PROJECT_ID);

export const test = base.extend<{ outside: undefined }>({
  /** The emulator's popup asks for scripts and styles of other sites; only Google's frame script matters. */
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
  // That of `fixtures.ts` signs in to the embedded service.
  page: async ({ context }, use) => use(await context.newPage()),
  // Firebase answers 400 to wrong passwords; the popup's styles are missing.
  expectedErrors: [/status of 400|ERR_FAILED https:\/\/(unpkg|fonts)/],
});
