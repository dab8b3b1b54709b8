import { build, install, serverCommand, serverEnvironment } from "./prepare.mjs";
import { finish, run } from "./run.mjs";

/** `npm start`: installs and builds if needed, then runs the server. */
await finish(async () => {
  await install();
  await build();
  const { code } = await run(serverCommand(), { env: serverEnvironment(), stdio: "inherit" });
  return code;
});
