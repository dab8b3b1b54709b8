import { build, install, node24 } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

/** `npm run faults`: builds the web app for the suites, and runs `faults/long-run.ts`. */
await finish(async () => {
  await install();
  await build();
  const command = [node24(), "faults/long-run.ts", ...process.argv.slice(2)];
  return (await run(command, { env: environment(), stdio: "inherit" })).code;
});
