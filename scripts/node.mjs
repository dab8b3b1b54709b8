import { install, node24 } from "./prepare.mjs";
import { finish, run } from "./run.mjs";

/** Runs a program of ours on Node 24 with what it is given, on a fresh clone too: `node scripts/node.mjs server/cli/admin.ts …`. */
await finish(async () => {
  await install();
  const { code } = await run([node24(), ...process.argv.slice(2)], { stdio: "inherit" });
  return code;
});
