import { build, install, node24 } from "./prepare.mjs";
import { finish, run } from "./run.mjs";

/** `npm start`: installs and builds if needed, then runs the server. */
await finish(async () => {
  await install();
  await build();
  const { code } = await run([node24(), "server/main.ts"], { stdio: "inherit" });
  return code;
});
