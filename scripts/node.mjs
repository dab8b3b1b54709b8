import { install, node24 } from "./prepare.mjs";
import { finish, run } from "./run.mjs";

/** Installs, then runs a script on Node 24: `node scripts/node.mjs server/cli/admin.ts …`. */
await finish(async () => {
  await install();
  const { code } = await run([node24(), ...process.argv.slice(2)], { stdio: "inherit" });
  return code;
});
