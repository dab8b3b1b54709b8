import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { draining, printError, runProcess, started } from "./run-until-signal.ts";
import { type Resources, serve } from "./serve.ts";

/**
 * Starts the other server processes, and replaces those that end. All stop with this process. The
 * kernel distributes connections among them.
 */
export async function forkServers({ config, databaseUrl, sandbox }: Resources): Promise<void> {
  const running = new Set<ChildProcess>();
  let stopping = false;
  started.push(stopAll);
  draining.push(async () => signalAll());
  await Promise.all(Array.from({ length: config.workers - 1 }, (_, index) => startOne(index + 1)));

  function signalAll(): void {
    stopping = true;
    for (const child of running) child.kill("SIGTERM");
  }

  async function stopAll(): Promise<void> {
    const ended = [...running].map((child) => once(child, "exit"));
    signalAll();
    await Promise.all(ended);
  }

  /** `index` counts from 1. Each process has its own port for metrics. */
  async function startOne(index: number): Promise<void> {
    const child = fork(import.meta.filename);
    running.add(child);
    const { metrics } = config;
    const own = { ...config, metrics: metrics && { ...metrics, port: metrics.port + index } };
    child.send({ config: own, databaseUrl, sandbox } satisfies Resources);
    const exit = once(child, "exit").finally(() => running.delete(child));
    const outcome = await Promise.race([once(child, "message"), exit.then(() => "ended")]);
    if (outcome === "ended") throw new Error("A server process ended while it started.");
    void exit.then(() => replace(index));
  }

  async function replace(index: number): Promise<void> {
    while (!stopping) {
      printError("A server process ended. Starting another.");
      await wait(1_000);
      if (stopping) return;
      const failed = await startOne(index).catch((error: Error) => error);
      if (!failed) return;
    }
  }
}

/** This file is also the program of each forked process. */
if (import.meta.main) {
  await runProcess(async () => {
    const [resources] = (await once(process, "message")) as [Resources];
    draining.push(await serve(resources, (stop) => started.push(stop)));
    process.send?.("listening");
  });
}
