import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build, install, serverCommand, serverEnvironment } from "../../scripts/prepare.mjs";
import { root } from "../../scripts/run.mjs";

export async function besideProgram(measure, settings = { RATE_LIMIT: "off" }) {
  return await withFolder(async (folder) => {
    const program = await startProgram(folder, settings);
    try {
      return await measure({ ...program, folder });
    } finally {
      await program.stop();
    }
  });
}

/** Installs and builds, then runs `work` with a temporary folder. */
export async function withFolder(work) {
  await install();
  await build();
  const folder = mkdtempSync(join(tmpdir(), "secondlap-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the program. The result includes the startup time in milliseconds. */
export async function startProgram(folder, settings = { RATE_LIMIT: "off" }) {
  const port = Number(process.env.PORT ?? 4320);
  const env = serverEnvironment({
    NODE_ENV: "test",
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    DATA_DIR: join(folder, "data"),
    LOG_LEVEL: "warn",
    ...settings,
  });
  const [node, ...args] = serverCommand();
  const began = performance.now();
  const server = spawn(node, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "close");
  process.once("exit", () => server.kill());
  for await (const line of createInterface({ input: server.stdout })) {
    console.log(line);
    if (line.includes("is ready at")) break;
  }
  server.stdout.resume();
  if (server.exitCode !== null) throw new Error("The program did not start.");
  return {
    site: `http://127.0.0.1:${port}`,
    pid: server.pid,
    readyMs: Math.round(performance.now() - began),
    async stop() {
      if (server.exitCode === null) server.kill("SIGTERM");
      await ended;
    },
  };
}
