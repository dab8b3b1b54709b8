import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { type CardProvider, cardProvider } from "#server/testing/cards.ts";
import { freePort, isListening } from "#server/testing/free-port.ts";

/** The database, folder and ports, which stay the same when the server restarts. */
export type Home = {
  databaseUrl: string;
  dataDir: string;
  port: number;
  sandboxPort: number;
  url: string;
  desk: CardProvider;
};

export type Program = {
  pid: number;
  /** Sends SIGKILL, and waits until the sandbox's port is free. */
  kill(): Promise<void>;
  stop(): Promise<number | null>;
};

/** The SECRET of the servers that `startProgram` starts. Tests make access tokens with it. */
export const secret = "the secret of programs that are killed on purpose";

export async function findHome(databaseUrl: string, dataDir: string): Promise<Home> {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const desk = cardProvider(`http://127.0.0.1:${sandboxPort}`);
  return { databaseUrl, dataDir, port, sandboxPort, url: `http://127.0.0.1:${port}`, desk };
}

export async function startProgram(
  { port, sandboxPort, ...home }: Home,
  env: Record<string, string> = {},
): Promise<Program> {
  const child = spawn(process.execPath, ["server/main.ts"], {
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      // High limits, because one member invites all buyers.
      INVITE_DISCOUNTS_PER_INVITER: "1000",
      INVITE_DISCOUNTS_PER_SELLER: "1000",
      NODE_ENV: "test",
      DATABASE_URL: home.databaseUrl,
      DATA_DIR: home.dataDir,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      SECRET: secret,
      DEMO: "0",
      RATE_LIMIT: "off",
      PASSWORD_HASHING: "quick",
      LOG_LEVEL: "fatal",
      ...env,
    },
    // The IPC channel makes the server exit when this process ends.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const exited = once(child, "exit");
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      said += String(chunk);
    });
  }
  while (!said.includes("is ready at")) {
    if (child.exitCode !== null) throw new Error(`The program ended: ${said}`);
    await wait(10);
  }
  let wanted = false;
  void exited.then(([code, signal]) => {
    if (!wanted) console.error(`The program ended by itself (${code ?? signal}): ${said}`);
  });
  return {
    pid: child.pid ?? 0,
    async kill() {
      wanted = true;
      child.kill("SIGKILL");
      await exited;
      while (await isListening(sandboxPort)) await wait(10);
    },
    async stop() {
      wanted = true;
      child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
  };
}
