import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Puts node_modules first in PATH, because it has Node 24. Debian installs servers in /usr/sbin,
 * which is on PATH only for root. The compile cache makes the server start faster.
 */
export function environment(more = {}) {
  const modules = join(root, "node_modules");
  const PATH = [join(modules, ".bin"), process.env.PATH, "/usr/sbin"].join(delimiter);
  return { NODE_COMPILE_CACHE: join(modules, ".cache/node"), ...process.env, PATH, ...more };
}

/**
 * Runs a command. After a signal, this process exits when the command does. A `channel` ends a
 * server if this process dies.
 */
export async function run([command, ...args], options = {}) {
  const { env = environment(), stdio = "pipe", channel } = options;
  const streams = ["ignore", stdio, stdio, ...(channel ? ["ipc"] : [])];
  const child = spawn(command, args, { cwd: root, env, stdio: streams });
  const chunks = [];
  child.stdout?.on("data", (data) => chunks.push(data));
  child.stderr?.on("data", (data) => chunks.push(data));
  let stopped = false;
  const stop = (signal) => {
    stopped = true;
    // In a terminal, the child got Ctrl-C, too. A second signal would make it exit immediately.
    if (stdio === "pipe") child.kill("SIGTERM");
    else if (signal === "SIGTERM" || !process.stdout.isTTY) child.kill(signal);
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const code = await new Promise((resolve) => {
    child.on("close", (exit, signal) => resolve(exit ?? 128 + constants.signals[signal]));
    child.on("error", (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      resolve(127);
    });
  });
  process.off("SIGINT", stop).off("SIGTERM", stop);
  if (stopped) process.exit(code);
  return { code, output: Buffer.concat(chunks).toString() };
}

export async function withProgress(title, work, summary = () => "done") {
  const started = Date.now();
  const { isTTY } = process.stdout;
  const print = (text) => process.stdout.write(isTTY ? `\r${title} … ${text}` : ` ${text}`);
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  process.stdout.write(`${title} …`);
  const ticking = isTTY && setInterval(() => print(seconds()), 1000);
  try {
    const result = await work();
    print(`${summary(result)}, ${seconds()}\n`);
    return result;
  } catch (error) {
    print(`failed, ${seconds()}\n`);
    throw error;
  } finally {
    clearInterval(ticking);
  }
}

/** Throws the output if the command fails. */
export async function step(title, command, options) {
  await withProgress(title, async () => {
    const { code, output } = await run(command, options);
    if (code !== 0) throw new Error(output || `${command[0]} ended with exit code ${code}.`);
  });
}

/** Throws unless these programs, named with their Debian packages, are installed. */
export function requirePrograms(programs) {
  const folders = environment().PATH.split(delimiter);
  const missing = Object.keys(programs).filter((name) =>
    folders.every((folder) => !existsSync(join(folder, name))),
  );
  if (missing.length === 0) return;
  const packages = missing.map((name) => programs[name]).join(" ");
  throw new Error(`This needs ${missing.join(", ")}. On Debian: apt-get install ${packages}`);
}

/** Sets the exit code to the result of `work`, or to 1 if `work` throws. */
export async function finish(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
