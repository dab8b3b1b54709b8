import { build, install, serverCommand, serverEnvironment } from "./prepare.mjs";
import { finish, run } from "./run.mjs";

/** `npm start`: installs and builds if needed, then runs the server. */
await finish(async () => {
  await install();
  await build();
  stopWithNpm();
  const options = { env: serverEnvironment(), stdio: "inherit", channel: true };
  return (await run(serverCommand(), options)).code;
});

/** Stops when npm is killed, which sends no signal but gives this process a different parent. */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event !== "start") return;
  const npm = process.ppid;
  const stop = () => process.ppid !== npm && process.kill(process.pid, "SIGTERM");
  setInterval(stop, 1_000).unref();
}
