import { build, install, node24 } from "./prepare.mjs";
import { environment, finish, run } from "./run.mjs";

/**
 * `npm run cluster`: builds a cluster on this machine from Debian's packages and runs a mixed load
 * with faults.
 */
await finish(async () => {
  await install();
  await build();
  const command = [node24(), "lab/cluster/main.ts", ...process.argv.slice(2)];
  return (await run(command, { env: environment(), stdio: "inherit" })).code;
});
