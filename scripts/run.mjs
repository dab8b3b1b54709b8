import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, in which every command runs. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * The environment of our tools: the project's own programs come first, Node 24 among them, and what Node
 * has once compiled it keeps, which spares the server a third of its work at each start.
 */
export function environment(more = {}) {
  const modules = join(root, "node_modules");
  const PATH = [join(modules, ".bin"), process.env.PATH].join(delimiter);
  return { NODE_COMPILE_CACHE: join(modules, ".cache/node"), ...process.env, PATH, ...more };
}

/**
 * Runs a command to its end, passing signals on; one that came ends this process with it. Answers the exit
 * code and, unless `stdio` is "inherit", what the command said.
 */
export async function run([command, ...args], { env = environment(), stdio = "pipe" } = {}) {
  const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", stdio, stdio] });
  const said = [];
  child.stdout?.on("data", (data) => said.push(data));
  child.stderr?.on("data", (data) => said.push(data));
  let stopped = false;
  const stop = (signal) => {
    stopped = true;
    // What works silently has nothing to finish. Of the others, some take a second signal for "drop
    // everything", and Ctrl-C in a terminal has reached them already.
    if (stdio === "pipe") child.kill("SIGTERM");
    else if (signal === "SIGTERM" || !process.stdout.isTTY) child.kill(signal);
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const code = await new Promise((resolve) => {
    child.on("close", (exit, signal) => resolve(exit ?? 128 + constants.signals[signal]));
    child.on("error", (error) => {
      said.push(Buffer.from(`${error.message}\n`));
      resolve(127);
    });
  });
  process.off("SIGINT", stop).off("SIGTERM", stop);
  if (stopped) process.exit(code);
  return { code, output: Buffer.concat(said).toString() };
}

/** Does some work behind one line that says what it is, how long it takes, and what `summary` makes of it. */
export async function withProgress(title, work, summary = () => "done") {
  const started = Date.now();
  const { isTTY } = process.stdout;
  const say = (text) => process.stdout.write(isTTY ? `\r${title} … ${text}` : ` ${text}`);
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  process.stdout.write(`${title} …`);
  const ticking = isTTY && setInterval(() => say(seconds()), 1000);
  try {
    const result = await work();
    say(`${summary(result)}, ${seconds()}\n`);
    return result;
  } catch (error) {
    say(`failed, ${seconds()}\n`);
    throw error;
  } finally {
    clearInterval(ticking);
  }
}

/** Runs a command behind a line of progress. Throws all it said where it fails. */
export async function step(title, command, options) {
  await withProgress(title, async () => {
    const { code, output } = await run(command, options);
    if (code !== 0) throw new Error(output || `${command[0]} ended with exit code ${code}.`);
  });
}

/** Ends the process with the exit code that `work` answers, or with its error as a sentence. */
export async function finish(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
