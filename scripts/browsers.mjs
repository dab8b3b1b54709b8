import { build, install, node24 } from "./prepare.mjs";
import { finish, run } from "./run.mjs";

/**
 * `npm run test:browsers`: times sign-up, listing, hold and payment in Firefox ESR and WebKitGTK.
 */
await finish(async () => {
  await install();
  await build();
  const { code } = await run([node24(), "e2e/browsers/run.ts"], { stdio: "inherit" });
  return code;
});
