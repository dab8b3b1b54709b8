import { pathToFileURL } from "node:url";
import { install } from "./prepare.mjs";
import { finish, run, withProgress } from "./run.mjs";

/** Static checks, each with its command. */
const checks = [
  ["Route types", "react-router", "typegen"],
  ["Server types", "tsc", "-p", "tsconfig.json"],
  ["Web app types", "tsc", "-p", "tsconfig.web.json"],
  ["Lint and format", "biome", "ci", "--colors=off"],
  ["Import rules", "node", "scripts/imports.ts"],
  ["Lock file", "node", "scripts/lock-file.ts", "--verify"],
  ["Generated documents", "node", "scripts/docs.ts", "--verify"],
  ["Database types", "node", "server/db/generate-schema.ts", "--verify"],
];

/** Runs every check, prints the output of those that fail, and returns the counts. */
export async function runChecks() {
  const failures = [];
  for (const [title, ...command] of checks) {
    const result = await withProgress(title, () => run(command), saysOk);
    if (result.code !== 0) failures.push(result);
    if (result.code !== 0) console.log(result.output);
  }
  const failed = failures.length;
  return { passed: checks.length - failed, failed, skipped: 0 };
}

function saysOk({ code }) {
  return code === 0 ? "ok" : "failed";
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await finish(async () => {
    await install();
    return (await runChecks()).failed > 0 ? 1 : 0;
  });
}
