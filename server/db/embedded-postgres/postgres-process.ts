import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { open, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Cluster } from "./cluster.ts";
import { env } from "./programs.ts";

/** `client` is a superuser. `launched`: this process started PostgreSQL. */
export type Server = Connection & { pid: number; port: number; launched: boolean };

type Connection = { client: pg.Client; ended: Promise<void> };

export async function adopt(cluster: Cluster): Promise<Server | undefined> {
  const path = join(cluster.folder, "postmaster.pid");
  const lines = await readFile(path, "utf8").catch(() => "");
  // The lines of the file are process id, folder, start time, port, … (PostgreSQL, pidfile.h)
  const [pid, , , port] = lines.split("\n").map(Number);
  if (!pid || !port) return undefined;
  if (!(await isPostgres(pid))) {
    // After a reboot, another process may have this id. PostgreSQL would then refuse to start.
    if (isAlive(pid)) await writeFile(path, lines.replace(/^\d+/, String(2 ** 31 - 1)));
    return undefined;
  }
  const connection = await connect({ cluster, port, isAlive: () => isPostgres(pid) });
  if (!connection) return undefined;
  if (await seesFolder(connection.client, cluster))
    return { ...connection, pid, port, launched: false };
  await connection.client.end();
  throw new Error(
    `${cluster.folder} is a copy made while its PostgreSQL was running (process ${pid}). Stop that one and copy the data folder again.`,
  );
}

/** Starts PostgreSQL detached, so that Ctrl-C in the terminal does not reach it. */
export async function launch(cluster: Cluster, settings: Record<string, string>): Promise<Server> {
  const { folder, account, programs, pathInside } = cluster;
  const port = Number(settings.port ?? (await freePort(cluster)));
  const flags = Object.entries({ ...always, ...settings, port }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const logPath = join(dirname(folder), "postgres.log");
  const log = await open(logPath, "a", 0o600);
  if (account) await log.chown(account.uid, account.gid);
  const { size } = await log.stat();
  const child = spawn(join(programs, "postgres"), ["-D", pathInside, ...flags], {
    ...account,
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  await once(child, "spawn").finally(() => log.close());
  child.unref();
  stopWithThisProcess(child);

  const isAlive = async () => child.exitCode === null && child.signalCode === null;
  const connection = await connect({ cluster, port, isAlive });
  if (connection && child.pid) return { ...connection, pid: child.pid, port, launched: true };
  // Another process may have started PostgreSQL on this folder first.
  const rival = await adopt(cluster);
  if (rival) return rival;
  const logged = (await readFile(logPath)).subarray(size).toString();
  const why =
    /(?:FATAL|PANIC): +(?!the database system is)(.*)/.exec(logged)?.[1] ?? "it gave no reason";
  throw new Error(`PostgreSQL did not start: ${why}. Its log is ${logPath}.`);
}

/** Starts a shell that stops PostgreSQL when this process ends, even if this process is killed. */
function stopWithThisProcess(postgres: ChildProcess): void {
  const shell = spawn("/bin/sh", ["-c", `read -r line; kill -INT ${postgres.pid}`], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.on("error", () => {});
  shell.unref();
  // After PostgreSQL exits, the shell must not kill another process that gets the same id.
  postgres.once("exit", () => shell.kill("SIGKILL"));
}

/** Returns a sixteenth of RAM, because Node.js needs RAM too, but 128 MB to 1 GB. */
export function sharedBuffers(memoryBytes: number): string {
  return `${Math.max(128, Math.min(1024, Math.floor(memoryBytes / 2 ** 24)))}MB`;
}

const always = {
  shared_buffers: sharedBuffers(Math.min(totalmem(), process.constrainedMemory() || totalmem())),
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  // Statements are not logged, because they contain personal data.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
};

/** Cancels running statements, but loses no committed data. */
export async function shutDown({ pid }: Server): Promise<void> {
  if (await isPostgres(pid)) process.kill(pid, "SIGINT");
  while (await isPostgres(pid)) await wait(10);
}

type Target = { cluster: Cluster; port: number; isAlive(): Promise<boolean> };

async function connect({ cluster, port, isAlive }: Target): Promise<Connection | undefined> {
  let lastProgress = Date.now();
  while (await isAlive()) {
    const superuser = { user: "postgres", password: cluster.passwords.postgres };
    const address = { host: "127.0.0.1", port, database: "postgres", ssl: false };
    const client = new pg.Client({ ...superuser, ...address, application_name: "secondlap" });
    client.on("error", () => {});
    const ended = new Promise<void>((end) => client.once("end", () => end()));
    const failure = await client.connect().then(
      () => undefined,
      (error: { code?: string; message: string }) => error,
    );
    if (!failure) return { client, ended };
    // 57P03: PostgreSQL is starting, recovering or shutting down, which may take long.
    if (failure.code === "57P03") lastProgress = Date.now();
    if (failure.code === "28P01" || Date.now() - lastProgress > 30_000) {
      throw new Error(
        `PostgreSQL runs on ${cluster.folder} but does not let us in (${failure.message}). Stop it and start again.`,
      );
    }
    await wait(20);
  }
  return undefined;
}

/** Whether PostgreSQL runs on this folder, not on a copy. Creates a file to find out. */
async function seesFolder(client: pg.Client, { folder }: Cluster): Promise<boolean> {
  const name = `secondlap-${randomUUID()}`;
  await writeFile(join(folder, name), "");
  const seen = await client.query("select from pg_stat_file($1, true) where size is not null", [
    name,
  ]);
  await rm(join(folder, name));
  return seen.rowCount === 1;
}

/** Returns the same port at each start, unless it is in use. Avoids the ephemeral range. */
async function freePort({ passwords }: Cluster): Promise<number> {
  const count = 2 ** 16 - 61_000;
  const first = createHash("sha256").update(passwords.postgres).digest().readUInt16BE() % count;
  for (let next = first; next < first + count; next++) {
    const port = 61_000 + (next % count);
    if (await isFree(port)) return port;
  }
  throw new Error("Every port between 61000 and 65535 is in use: PostgreSQL needs a free one.");
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, "127.0.0.1");
  const free = await once(probe, "listening").then(
    () => true,
    () => false,
  );
  probe.close();
  return free;
}

async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat === undefined || /\(postgres\) [^ZX]/.test(stat);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
