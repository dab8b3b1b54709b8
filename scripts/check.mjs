import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { install } from "./prepare.mjs";
import { finish, run } from "./run.mjs";

const first = ["Route types", "react-router", "typegen"];

/** One tsc checker per two cores, at most four, because each checker re-checks shared files. */
const checkers = ["--checkers", String(Math.min(4, Math.ceil(availableParallelism() / 2)))];

/** The slowest checks start first. */
const checks = [
  ["Server types", "tsc", "-p", "tsconfig.json", ...checkers],
  ["Web app types", "tsc", "-p", "tsconfig.web.json", ...checkers],
  ["Database types", "node", "server/db/generate-schema.ts", "--verify"],
  ["Lint and format", "biome", "ci", "--colors=off"],
  ["Import rules", "node", "scripts/imports.ts"],
  ["Lock file", "node", "scripts/lock-file.ts", "--verify"],
  ["Generated documents", "node", "scripts/generate-documents.ts", "--verify"],
];

/** Runs as many checks at a time as there are cores. Returns how many passed and failed. */
export async function runChecks() {
  const codes = [await check(first)];
  const waiting = checks.values();
  const runWaiting = async () => {
    for (const one of waiting) codes.push(await check(one));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
  const failed = codes.filter((code) => code !== 0).length;
  return { passed: codes.length - failed, failed, skipped: 0 };
}

/** Prints a check's line after the check has ended, because other checks run at the same time. */
async function check([title, ...command]) {
  const started = Date.now();
  const { code, output } = await run(command);
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${title} … ${code === 0 ? "ok" : "failed"}, ${seconds} s`);
  if (code !== 0) console.log(output);
  return code;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await finish(async () => {
    await install();
    return (await runChecks()).failed > 0 ? 1 : 0;
  });
}
