import { finish, requirePrograms, run } from "./run.mjs";

const commands = [
  ["promtool", "check", "rules", "deploy/prometheus/alerts.yml"],
  ["promtool", "test", "rules", "deploy/prometheus/alerts.test.yml"],
];

/** `npm run alerts`: checks the alert rules, and tests them with generated metrics. */
await finish(async () => {
  requirePrograms({ promtool: "prometheus" });
  for (const command of commands) {
    const { code } = await run(command, { stdio: "inherit" });
    if (code !== 0) return code;
  }
  return 0;
});
