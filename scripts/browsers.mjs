import { build, install, node24 } from "./prepare.mjs";
import { finish, run } from "./run.mjs";

/** `npm run test:browsers`: sign up, list, hold and pay in Firefox ESR and WebKitGTK, with times. */
await finish(async () => {
  await install();
  await build();
  const { code } = await run([node24(), "e2e/browsers/run.ts"], { stdio: "inherit" });
  return code;
});
