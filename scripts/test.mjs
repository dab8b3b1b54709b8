import { randomInt } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "./check.mjs";
import { findChromium } from "./chromium.mjs";
import { build, install } from "./prepare.mjs";
import { environment, finish, root, run, withProgress } from "./run.mjs";

const temporary = mkdtempSync(join(tmpdir(), "secondlap-tests-"));
process.on("exit", () => {
  try {
    rmSync(temporary, { recursive: true, force: true });
  } catch {
    // Leftover files must not fail the tests.
  }
});

/**
 * `npm test` runs the checks, server tests and browser tests. `npm test -- <part of a file name>`
 * runs only those test files.
 */
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
  const [passed, failed, skipped] = ["passed", "failed", "skipped"].map((result) =>
    suites.reduce((sum, suite) => sum + suite[result], 0),
  );
  const isNothing = passed + failed + skipped === 0;
  console.log(
    isNothing ? `No test file matches ${filter.join(" ")}.` : summary({ passed, failed, skipped }),
  );
  return failed === 0 && passed > 0 ? 0 : 1;
});

async function runVitest(filter, chromium) {
  const report = join(temporary, "vitest.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  const command = ["vitest", "run", ...reporters, "--passWithNoTests", ...filter];
  const env = { CHROMIUM_PATH: chromium };
  return await runSuite({ title: "Server tests", command, env }, () => {
    const results = JSON.parse(readFileSync(report, "utf8"));
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = results;
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
  return await runSuite({ title: "Browser tests", command, env }, () => {
    const { expected, unexpected, flaky, skipped } = JSON.parse(readFileSync(report, "utf8")).stats;
    return { passed: expected, failed: unexpected + flaky, skipped };
  });
}

/**
 * Finds a random free port, so that concurrent runs rarely collide. The next port is free, too, for
 * the sandbox. Ports are below the ephemeral range, and above those that browsers refuse.
 */
async function freePorts() {
  const port = 20_000 + 10 * randomInt(1_200);
  const free = await Promise.all([isFree(port), isFree(port + 1)]);
  return free.every(Boolean) ? port : await freePorts();
}

async function isFree(port) {
  return await new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** A crash without a failed test counts as a failure. */
async function runSuite({ title, command, env }, readReport) {
  const work = async () => {
    const { code, output } = await run(command, {
      env: environment({ TMPDIR: temporary, ...env }),
    });
    const counts = countsOf(readReport);
    const failed = code === 0 ? counts.failed : Math.max(counts.failed, 1);
    return { ...counts, failed, output };
  };
  const suite = await withProgress(title, work, summary);
  if (suite.failed > 0) console.log(suite.output);
  return suite;
}

function countsOf(readReport) {
  try {
    return readReport();
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
