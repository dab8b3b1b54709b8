import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "./free-port.ts";

export type Env = Record<string, string>;

/** `said` has the child's stdout and stderr so far. */
export type Program = { child: ChildProcess; said: { text: string } };

const children: ChildProcess[] = [];

export function run(env: Env, program = ["server/main.ts"]): Program {
  const child = spawn(process.execPath, program, {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: "test",
      DEMO: "0",
      RATE_LIMIT: "off",
      PASSWORD_HASHING: "quick",
      ...env,
    },
    // The IPC channel makes a server end when this process ends.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  children.push(child);
  const said = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => (said.text += String(chunk)));
  return { child, said };
}

/** Rejects if the program exits first. */
export async function waitForReady({ child, said }: Program): Promise<void> {
  while (!said.text.includes("is ready at")) {
    if (hasEnded(child)) throw new Error(`it ended: ${said.text}`);
    await new Promise((tick) => setTimeout(tick, 20));
  }
}

export async function waitForExit({
  child,
  said,
}: Program): Promise<{ code: number | null; said: string }> {
  if (!hasEnded(child)) await once(child, "exit");
  return { code: child.exitCode, said: said.text };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

export function killPrograms(): void {
  for (const child of children) child.kill("SIGKILL");
}

export async function freePorts(): Promise<Env> {
  return { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) };
}
