import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "./testing/create-test-database.ts";
import { freePort } from "./testing/free-port.ts";
import { freePorts, killPrograms, run, waitForExit, waitForReady } from "./testing/program.ts";

const root = join(import.meta.dirname, "..");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-version-"));
});
afterAll(async () => {
  killPrograms();
  await rm(folder, { recursive: true, force: true });
});

test("pages, logs, metrics and doctor show the version from package.json", async () => {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const ports = await freePorts();
  const metricsPort = String(await freePort());
  const env = {
    ...ports,
    DATA_DIR: folder,
    DATABASE_URL: await createTestDatabase("version"),
    LOG_LEVEL: "info",
    METRICS_PORT: metricsPort,
  };
  const shop = run(env);
  await waitForReady(shop);
  expect(shop.said.text).toContain(`Secondlap ${version} is ready at`);
  const page = await (await fetch(`http://127.0.0.1:${ports.PORT}/`)).text();
  expect(page).toContain(`</footer><template data-version="${version}"></template>`);
  await expect.poll(() => shop.said.text).toMatch(/"msg":"request completed"/);
  const lines = shop.said.text.split("\n").filter((line) => line.startsWith("{"));
  expect(lines.map((line) => JSON.parse(line).version)).toEqual(lines.map(() => version));
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toContain(`secondlap_build_info{version="${version}"} 1\n`);
  const doctor = await waitForExit(run(env, ["server/cli/doctor.ts"]));
  expect(doctor.said).toMatch(new RegExp(`^Secondlap ${version.replaceAll(".", "\\.")}\\n`));
});
