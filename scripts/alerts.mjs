import { finish, run } from "./run.mjs";

const commands = [
  ["promtool", "check", "rules", "deploy/prometheus/alerts.yml"],
  ["promtool", "test", "rules", "deploy/prometheus/alerts.test.yml"],
];

/** `npm run alerts`: checks the alert rules, and tests them with generated metrics. */
await finish(async () => {
  if ((await run(["promtool", "--version"])).code !== 0) {
    console.error("This needs Prometheus' promtool. On Debian: apt-get install prometheus");
    return 1;
  }
  for (const command of commands) {
    const { code } = await run(command, { stdio: "inherit" });
    if (code !== 0) return code;
  }
  return 0;
});
