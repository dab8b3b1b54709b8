import { execFile } from "node:child_process";
import { appendFile, chown, cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Cluster, openCluster } from "../db/embedded-postgres/cluster.ts";
import { launch, type Server, shutDown } from "../db/embedded-postgres/postgres-process.ts";
import { freePort } from "./free-port.ts";

export type TestServer = Awaited<ReturnType<typeof start>>;

const settings = {
  fsync: "off",
  shared_buffers: "32MB",
  wal_level: "replica",
  hot_standby: "on",
  max_wal_senders: "10",
  wal_keep_size: "1GB",
  // Makes replicas notice within seconds that they have lost their primary.
  wal_receiver_timeout: "5s",
  wal_retrieve_retry_interval: "200ms",
};

/** Starts a primary in `dataDir`, and streaming replicas that begin as copies of the primary. */
export async function startStreamingReplicas(dataDir: string, names: string[]) {
  const cluster = await openCluster(dataDir);
  const replication = "host replication all 127.0.0.1/32 scram-sha-256\n";
  await appendFile(join(cluster.folder, "pg_hba.conf"), replication);
  const port = await freePort();
  const copies = await Promise.all(
    names.map((name) => copyAsReplica(cluster, { dataDir: join(dataDir, name), name, port })),
  );
  const primary = await start("primary", cluster, port);
  await primary.ask("grant pg_read_all_stats to secondlap");
  const replicas: TestServer[] = [];
  for (const [index, copy] of copies.entries())
    replicas.push(await start(names[index] ?? "", copy, await freePort()));
  return {
    primary,
    replicas,
    url: primary.url,
    async stop(): Promise<void> {
      for (const server of [...replicas, primary]) await server.stop();
    },
  };
}

export function connectionInfo(port: number, password: string, name: string): string {
  return `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=${name}`;
}

type Copy = { dataDir: string; name: string; port: number };

async function copyAsReplica(cluster: Cluster, { dataDir, name, port }: Copy): Promise<Cluster> {
  const folder = join(dataDir, "postgres");
  await mkdir(dataDir, { recursive: true });
  await cp(cluster.folder, folder, { recursive: true });
  const info = connectionInfo(port, cluster.passwords.postgres, name);
  await appendFile(join(folder, "postgresql.auto.conf"), `primary_conninfo = '${info}'\n`);
  await writeFile(join(folder, "standby.signal"), "");
  // A copy that root made belongs to root. `openCluster` gives it to PostgreSQL's account.
  if (cluster.account) await chown(folder, 0, 0);
  return await openCluster(dataDir);
}

async function start(name: string, cluster: Cluster, port: number) {
  const open = () => launch(cluster, { ...settings, port: String(port) });
  let server: Server | undefined = await open();
  let frozen: number[] = [];
  const running = () => {
    if (!server) throw new Error(`${name} does not run`);
    return server;
  };
  const { secondlap } = cluster.passwords;
  return {
    name,
    port,
    url: `postgres://secondlap:${secondlap}@127.0.0.1:${port}/secondlap`,
    /** Runs a statement as the server's superuser. */
    async ask(statement: string): Promise<Record<string, unknown>[]> {
      return (await running().client.query(statement)).rows;
    },
    async kill(): Promise<void> {
      const { pid, ended } = running();
      process.kill(pid, "SIGKILL");
      for (const child of frozen) process.kill(child, "SIGKILL");
      await ended;
      server = undefined;
    },
    /** Stops the server's processes but keeps its connections open, as if the host were gone. */
    async freeze(): Promise<void> {
      const { pid } = running();
      // Stops the postmaster first, because it would start other processes.
      process.kill(pid, "SIGSTOP");
      const { stdout } = await promisify(execFile)("pgrep", ["-P", String(pid)]);
      frozen = stdout.trim().split("\n").map(Number);
      for (const child of frozen) process.kill(child, "SIGSTOP");
    },
    async start(): Promise<void> {
      server = await open();
    },
    async stop(): Promise<void> {
      if (!server) return;
      await server.client.end();
      await shutDown(server);
      server = undefined;
    },
  };
}
