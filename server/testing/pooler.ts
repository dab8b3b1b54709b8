import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort, isListening } from "./free-port.ts";

export type Pooler = { url: string; stop(): Promise<void> };

/** Allows few connections, so that a client's transactions run on different connections. */
const settings = {
  pool_mode: "transaction",
  default_pool_size: 12,
  max_client_conn: 2_000,
  max_db_connections: 12,
  auth_type: "any",
  // Ignores no startup parameters, because Kysely and `pg` send none that PgBouncer rejects.
  ignore_startup_parameters: "",
  server_idle_timeout: 5,
  unix_socket_dir: "",
  listen_addr: "127.0.0.1",
};

export async function startPooler(postgresUrl: string): Promise<Pooler> {
  const { hostname, port, username, password } = new URL(postgresUrl);
  const folder = await mkdtemp(join(tmpdir(), "secondlap-pooler-"));
  // PgBouncer refuses to run as root, so another user has to read the configuration file.
  await chmod(folder, 0o755);
  const listenPort = await freePort();
  const server = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  const timeout = "connect_query='set statement_timeout = 120000'";
  const lines = Object.entries({ ...settings, listen_port: listenPort });
  const file = join(folder, "pgbouncer.ini");
  await writeFile(
    file,
    `[databases]\n* = ${server} ${timeout}\n[pgbouncer]\n${lines.map(([name, value]) => `${name} = ${value}`).join("\n")}\n`,
  );
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", [...user, file], { stdio: ["ignore", "ignore", "pipe"] });
  await untilListening(child, listenPort);
  return {
    url: `postgres://pooled@127.0.0.1:${listenPort}/`,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGQUIT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  let said = "";
  child.stderr?.on("data", (data) => (said += data));
  child.on("error", (error) => (said += error));
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`);
    await wait(50);
  }
}
