import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { photo } from "#server/testing/marketplace.ts";
import { freePorts, killPrograms, run, waitForReady } from "#server/testing/program.ts";
import { browsers, closeBrowsers } from "./launch.ts";
import { sellBookAndPay } from "./sell-book-and-pay.ts";
import type { Session } from "./session.ts";

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
process.on("exit", () => {
  closeBrowsers();
  killPrograms();
});
const folder = await mkdtemp(join(tmpdir(), "secondlap-browsers-"));
const ports = await freePorts();
const url = `http://127.0.0.1:${ports.PORT}`;
const results: string[] = [];
try {
  const file = join(folder, "laptop.jpg");
  await writeFile(file, await photo({ width: 1600, height: 1200 }));
  await waitForReady(run({ ...ports, DATA_DIR: join(folder, "data"), DATABASE_TIMEOUT: "40" }));
  for (const { name, missing, open } of browsers) {
    const packages = missing();
    if (packages.length > 0) {
      fail(
        `${name}: not tried, because it is not installed. On Debian: apt-get install ${packages.join(" ")}`,
      );
      continue;
    }
    try {
      results.push(`${name}: ${await tryIn(await open(), file)}`);
    } catch (error) {
      fail(`${name}: failed. ${error instanceof Error ? error.message : error}`);
    } finally {
      closeBrowsers();
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
print(results.join("\n"));
process.exit();

async function tryIn(session: Session, file: string): Promise<string> {
  print(session.browser);
  const start = performance.now();
  try {
    await sellBookAndPay(session, {
      url,
      photo: file,
      async step(title, work) {
        const started = performance.now();
        await work();
        print(`  ${title}: ${seconds(started)}`);
      },
    });
  } catch (error) {
    const picture = resolve("test-results", `${session.browser.split(" ")[0]}.png`);
    await mkdir(resolve("test-results"), { recursive: true });
    await writeFile(picture, await session.screenshot());
    throw new Error(`${error instanceof Error ? error.message : error} See ${picture}.`);
  } finally {
    for (const error of session.errors) print(`  logged: ${error}`);
    await session.close();
  }
  if (session.errors.length > 0) throw new Error(`It logged ${session.errors.length} errors.`);
  return `passed in ${session.browser}, ${seconds(start)}`;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}

function fail(result: string): void {
  results.push(result);
  process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
