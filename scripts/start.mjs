import { build, install, node24 } from "./prepare.mjs";
import { finish, run } from "./run.mjs";

/** `npm start`: from a fresh clone to the address in the browser. */
await finish(async () => {
  await install();
  await build();
  const { code } = await run([node24(), "server/main.ts"], { stdio: "inherit" });
  return code;
});
