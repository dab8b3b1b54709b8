import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { printError, started } from "./run-process.ts";
import type { Resources } from "./serve.ts";

/**
 * Starts the other processes of `WORKERS`, which listen on the same port: the kernel spreads connections over
 * them. One that ends is replaced. They are stopped with the process, also while they start.
 */
export async function forkServers({ config, databaseUrl, sandbox }: Resources): Promise<void> {
  const program = fileURLToPath(new URL("./forked-server.ts", import.meta.url));
  const services = sandbox && { url: sandbox.url, smtpUrl: sandbox.smtpUrl };
  const running = new Set<ChildProcess>();
  let stopping = false;
  started.push(stopAll);
  await Promise.all(Array.from({ length: config.workers - 1 }, startOne));

  async function stopAll(): Promise<void> {
    stopping = true;
    const ended = [...running].map((child) => once(child, "exit"));
    for (const child of running) child.kill("SIGTERM");
    await Promise.all(ended);
  }

  async function startOne(): Promise<void> {
    const child = fork(program);
    running.add(child);
    child.send({ config, databaseUrl, sandbox: services } satisfies Resources);
    const exit = once(child, "exit").finally(() => running.delete(child));
    const outcome = await Promise.race([once(child, "message"), exit.then(() => "ended")]);
    if (outcome === "ended") throw new Error("A server process ended while it started.");
    void exit.then(replace);
  }

  async function replace(): Promise<void> {
    while (!stopping) {
      printError("A server process ended. Starting another.");
      await wait(1_000);
      if (stopping) return;
      const failed = await startOne().catch((error: Error) => error);
      if (!failed) return;
    }
  }
}
