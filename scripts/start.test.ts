import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isListening } from "#server/testing/free-port.ts";
import { freePorts } from "#server/testing/program.ts";

test("killing npm start also stops the server and PostgreSQL", async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "secondlap-start-"));
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
  const ports = await freePorts();
  const env = { ...process.env, ...ports, DATA_DIR, DEMO: "0", NODE_ENV: "test" };
  const npm = spawn("npm", ["start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  npm.stdout.on("data", (chunk) => {
    said += String(chunk);
  });
  await expect.poll(() => said, { timeout: 500_000 }).toContain("is ready at");
  const pidFile = join(DATA_DIR, "postgres/postmaster.pid");
  const [postgres] = (await readFile(pidFile, "utf8")).split("\n").map(Number);
  npm.kill("SIGKILL");
  await once(npm, "exit");
  await expect.poll(() => isListening(Number(ports.PORT))).toBe(false);
  await expect.poll(() => isRunning(postgres ?? 0)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
