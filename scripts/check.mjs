import { pathToFileURL } from "node:url";
import { install } from "./prepare.mjs";
import { finish, run, withProgress } from "./run.mjs";

/** What is checked without running the program, each with its command. */
const checks = [
  ["Routes as types", "react-router", "typegen"],
  ["Types of the server", "tsc", "-p", "tsconfig.json"],
  ["Types of the web app", "tsc", "-p", "tsconfig.web.json"],
  ["Lint and format", "biome", "ci", "--colors=off"],
  ["Import rules", "node", "scripts/imports.ts"],
  ["Lock file is complete", "node", "scripts/lock-file.ts", "--verify"],
  ["Generated documents", "node", "scripts/docs.ts", "--verify"],
  ["Types of the database are its schema's", "node", "server/db/generate-schema.ts", "--verify"],
];

/** Runs every check and answers how many passed and failed; what a failed one said is shown in full. */
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
