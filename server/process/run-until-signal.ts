import { redact, redactConsole } from "../http/logging.ts";

/** Functions that stop this process's parts, in the order in which the parts started. */
export const started: (() => Promise<unknown>)[] = [];

/** Functions that run together after a signal. Load balancers then send no more requests. */
export const draining: (() => Promise<unknown>)[] = [];

let stopping = false;

/** Runs until a signal, or until `start` fails, and then stops all started parts. */
export async function runProcess(start: () => Promise<void>): Promise<void> {
  redactConsole();
  process.on("uncaughtException", (error) => {
    printError(error.stack ?? String(error));
    process.exit(1);
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stopOnce);
  // `disconnect` means that the parent process ended. Only a forked process gets this event.
  process.once("disconnect", stopOnce);
  try {
    await start();
  } catch (error) {
    // While the process stops, an error from the interrupted start is expected.
    if (stopping) return;
    printError(error instanceof Error ? error.message : String(error));
    await stop(1);
  }
}

/** Ignores a second signal: Ctrl-C signals all processes, and npm then forwards another signal. */
function stopOnce(): void {
  if (stopping) return;
  stopping = true;
  void stop(0);
}

/** Stops all parts in reverse order: the server finishes its requests before the database ends. */
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
