import { redact, redactConsole } from "../http/logging.ts";

/** How to stop what has been started, in the order it was. */
export const started: (() => Promise<unknown>)[] = [];

/** How to drain the servers, all at once: load balancers leave them; what was started is stopped afterwards. */
export const draining: (() => Promise<unknown>)[] = [];

/** Whether the process is stopping already. */
let stopping = false;

/** Runs the process: from `start` until a signal stops what was started, or the start fails. */
export async function runProcess(start: () => Promise<void>): Promise<void> {
  redactConsole();
  process.on("uncaughtException", (error) => {
    printError(error.stack ?? String(error));
    process.exit(1);
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stopOnce);
  // The program that started it, if that gave it a channel, was killed.
  process.once("disconnect", stopOnce);
  try {
    await start();
  } catch (error) {
    // While stopping, an error of the interrupted start is expected.
    if (stopping) return;
    printError(error instanceof Error ? error.message : String(error));
    await stop(1);
  }
}

/** A second signal is ignored: Ctrl-C sends one to the whole process group, and npm forwards another. */
export function stopOnce(): void {
  if (stopping) return;
  stopping = true;
  void stop(0);
}

/** Stops everything in reverse order: first the server, which finishes its requests. */
async function stop(code: number): Promise<void> {
  process.exitCode = code;
  if (code === 0) await Promise.all(draining.map((drain) => drain()));
  for (const end of started.reverse()) await end().catch((error: Error) => print(error.message));
  process.exit();
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printError(line: string): void {
  process.stderr.write(`${redact(line)}\n`);
}
