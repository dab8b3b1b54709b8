import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { type CardProvider, cardProvider } from "#server/testing/cards.ts";
import { freePort, isListening } from "#server/testing/free-port.ts";
import { type Env, run, waitForReady } from "#server/testing/program.ts";

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

export async function startProgram(home: Home, env: Env = {}): Promise<Program> {
  const started = run({
    // High limits, because one member invites all buyers.
    INVITE_DISCOUNTS_PER_INVITER: "1000",
    INVITE_DISCOUNTS_PER_SELLER: "1000",
    DATABASE_URL: home.databaseUrl,
    DATA_DIR: home.dataDir,
    PORT: String(home.port),
    SANDBOX_PORT: String(home.sandboxPort),
    SECRET: secret,
    LOG_LEVEL: "fatal",
    ...env,
  });
  await waitForReady(started);
  const { child, said } = started;
  const exited = once(child, "exit");
  let wanted = false;
  void exited.then(([code, signal]) => {
    if (!wanted) console.error(`The program ended by itself (${code ?? signal}): ${said.text}`);
  });
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    wanted = true;
    child.kill(signal);
    await exited;
  };
  return {
    pid: child.pid ?? 0,
    async kill() {
      await end("SIGKILL");
      while (await isListening(home.sandboxPort)) await wait(10);
    },
    async stop() {
      await end("SIGTERM");
      return child.exitCode;
    },
  };
}
