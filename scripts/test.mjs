import { randomInt } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "./check.mjs";
import { findChromium } from "./chromium.mjs";
import { build, install } from "./prepare.mjs";
import { environment, finish, root, run, withProgress } from "./run.mjs";

// Whatever tests leave behind goes when they end.
const temporary = mkdtempSync(join(tmpdir(), "secondlap-tests-"));
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));

/** `npm test`, or `npm test -- <part of a file name>` for the tests of those files alone. */
await finish(async () => {
  const filter = process.argv.slice(2);
  await install();
  const chromium = await findChromium().catch((error) => console.log(error.message));
  await build();
  const suites = [
    ...(filter.length === 0 ? [await runChecks()] : []),
    await runVitest(filter, chromium),
    await runPlaywright(filter, chromium),
  ];
  const [passed, failed, skipped] = ["passed", "failed", "skipped"].map((of) =>
    suites.reduce((sum, suite) => sum + suite[of], 0),
  );
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 && passed > 0 ? 0 : 1;
});

async function runVitest(filter, chromium) {
  const report = join(temporary, "vitest.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  const command = ["vitest", "run", ...reporters, "--passWithNoTests", ...filter];
  const env = { CHROMIUM_PATH: chromium };
  return await runSuite({ title: "Tests on a real PostgreSQL", command, env }, () => {
    const told = JSON.parse(readFileSync(report, "utf8"));
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = told;
    const skipped = numPendingTests + numTodoTests;
    return { passed: numPassedTests, failed: numFailedTests, skipped };
  });
}

async function runPlaywright(filter, chromium) {
  const inBrowser = readdirSync(join(root, "e2e")).filter((file) => file.endsWith(".e2e.ts"));
  const wanted =
    filter.length === 0 ||
    inBrowser.some((file) => filter.some((part) => `e2e/${file}`.includes(part)));
  if (!wanted) return { passed: 0, failed: 0, skipped: 0 };
  if (!chromium) return { passed: 0, failed: 1, skipped: 0 };
  const report = join(temporary, "playwright.json");
  const command = ["playwright", "test", "--reporter=dot,json", "--pass-with-no-tests", ...filter];
  const port = await freePorts();
  const env = {
    CHROMIUM_PATH: chromium,
    E2E_PORT: String(port),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  };
  return await runSuite({ title: "Tests in the browser", command, env }, () => {
    const { expected, unexpected, flaky, skipped } = JSON.parse(readFileSync(report, "utf8")).stats;
    return { passed: expected, failed: unexpected + flaky, skipped };
  });
}

/**
 * A free port below the system's own range, with a free one above it for the sandbox. Chosen at random, so
 * that two runs that start at the same time do not choose the same one.
 */
async function freePorts() {
  const port = 4310 + 10 * randomInt(1_000);
  const free = await Promise.all([isFree(port), isFree(port + 1)]);
  return free.every(Boolean) ? port : await freePorts();
}

async function isFree(port) {
  return await new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** Runs a suite and answers its counts; one that ends badly without a failed test counts as a failed one. */
async function runSuite({ title, command, env }, readReport) {
  const work = async () => {
    const { code, output } = await run(command, {
      env: environment({ TMPDIR: temporary, ...env }),
    });
    const counts = reported(readReport);
    const failed = code === 0 ? counts.failed : Math.max(counts.failed, 1);
    return { ...counts, failed, output };
  };
  const suite = await withProgress(title, work, inWords);
  if (suite.failed > 0) console.log(suite.output);
  return suite;
}

function reported(readReport) {
  try {
    return readReport();
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
