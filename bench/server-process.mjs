import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { build, install, serverCommand } from "../scripts/prepare.mjs";
import { environment, root } from "../scripts/run.mjs";

/**
 * Runs `measure` beside the program, which serves its demo data at `site` from a folder of its own; the
 * folder is there for what is measured too. Without `settings` no limit is in the way of what is measured.
 */
export async function besideProgram(measure, settings = { RATE_LIMIT: "off" }) {
  await install();
  await build();
  const port = Number(process.env.PORT ?? 4320);
  const site = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), "secondlap-bench-"));
  const env = environment({
    NODE_ENV: "test",
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    DATA_DIR: join(folder, "data"),
    LOG_LEVEL: "warn",
    ...settings,
  });
  const stdio = ["ignore", "inherit", "inherit"];
  const [node, ...args] = serverCommand();
  const server = spawn(node, args, { cwd: root, env, stdio });
  try {
    const isReady = async () => (await fetch(`${site}/readyz`).catch(() => undefined))?.ok;
    while (server.exitCode === null && !(await isReady())) await wait(500);
    if (server.exitCode !== null) throw new Error("The program did not start.");
    return await measure({ site, folder, pid: server.pid });
  } finally {
    if (server.exitCode === null && server.kill("SIGTERM"))
      await new Promise((over) => server.once("close", over));
    rmSync(folder, { recursive: true, force: true });
  }
}
