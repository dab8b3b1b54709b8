import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Cluster, openCluster } from "./cluster.ts";
import { adopt, launch, type Server, shutDown } from "./postgres-process.ts";

type EmbeddedPostgres = {
  url: string;
  /** Stops PostgreSQL, or only disconnects if another process owns it. */
  stop(): Promise<void>;
};

type Options = {
  dataDir: string;
  settings?: Record<string, string>;
  /** Whether to join a PostgreSQL that another process may use. If so, creates no cluster. */
  shared?: boolean;
  report?: (line: string) => void;
};

/**
 * Starts PostgreSQL, or takes over one that was left running. Unless `shared`, restarts it after a
 * crash. Error messages are for the operator.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { settings = {}, shared = false, report = () => {} } = options;
  const dataDir = resolve(options.dataDir);
  try {
    if (shared) requireCluster(dataDir);
    const cluster = await openCluster(dataDir);
    const server = (await adopt(cluster)) ?? (await launch(cluster, settings));
    if (!shared) await claimOrFail(server, dataDir);
    if (!shared && !server.launched)
      report(`Taking over the PostgreSQL that was left running on ${dataDir}.`);
    const { stop } = shared
      ? await share(server)
      : supervise(server, { cluster, settings, report });
    const { secondlap } = cluster.passwords;
    return { url: `postgres://secondlap:${secondlap}@127.0.0.1:${server.port}/secondlap`, stop };
  } catch (error) {
    throw new Error(explain(error as NodeJS.ErrnoException, dataDir), { cause: error });
  }
}

async function claimOrFail(server: Server, dataDir: string): Promise<void> {
  if (await claim(server, 3_000)) return;
  await server.client.end();
  throw new Error(
    `Another Secondlap uses the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
  );
}

/** Claims PostgreSQL only if this process launched it. Otherwise, its owner may be reconnecting. */
async function share(server: Server): Promise<{ stop(): Promise<void> }> {
  const ours = server.launched && (await claim(server, 0));
  return {
    async stop() {
      await server.client.end();
      if (ours) await shutDown(server);
    },
  };
}

function requireCluster(dataDir: string): void {
  if (existsSync(join(dataDir, "postgres"))) return;
  throw new Error(
    `There is no shop in ${dataDir} yet. Start one with npm start, or set DATA_DIR to the folder it is in.`,
  );
}

const unusable = new Set(["EACCES", "EPERM", "EROFS"]);

function explain({ message, code, path }: NodeJS.ErrnoException, dataDir: string): string {
  if (/No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/.test(message)) {
    return `The disk is full: PostgreSQL has no room in ${dataDir}. Make room, or set DATA_DIR to a folder on another disk.`;
  }
  if (code && unusable.has(code)) {
    return `This account can't use ${path ?? dataDir} (${code}). Start as the account that owns it, or set DATA_DIR to a folder of your own.`;
  }
  if (code === "EEXIST" || code === "ENOTDIR")
    return `${dataDir} can't be a folder: there is a file in its place. Set DATA_DIR to a folder.`;
  return message;
}

type Supervised = Required<Pick<Options, "settings" | "report">> & { cluster: Cluster };

/** Whether this process got the owner's advisory lock, which ends with the connection. */
async function claim({ client }: Server, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (true) {
    const { rows } = await client.query("select pg_try_advisory_lock(1) as claimed");
    if (rows[0].claimed || Date.now() >= deadline) return rows[0].claimed;
    await wait(50);
  }
}

/** Until `stop`, reconnects to or relaunches PostgreSQL, and claims it again. */
function supervise(
  first: Server,
  { cluster, settings, report }: Supervised,
): { stop(): Promise<void> } {
  let server = first;
  let claimed = true;
  let stopping = false;
  const watching = watch();

  async function watch(): Promise<void> {
    while (!stopping) {
      await server.ended;
      if (stopping) return;
      claimed = false;
      report("The embedded PostgreSQL closed its connection. Restarting it where it has ended.");
      await reopen();
    }
  }

  async function reopen(): Promise<void> {
    for (let delayMs = 50; !stopping; delayMs = Math.min(2 * delayMs, 2_000)) {
      try {
        server = await reconnect();
        report("The embedded PostgreSQL is running again.");
        // If a backup launched PostgreSQL first, the backup holds the claim until it ends.
        do claimed = await claim(server, 500);
        while (!claimed && !stopping);
        return;
      } catch (error) {
        if (!stopping) report(error instanceof Error ? error.message : String(error));
      }
      await wait(delayMs);
    }
  }

  async function reconnect(): Promise<Server> {
    const port = String(first.port);
    const next = (await adopt(cluster)) ?? (await launch(cluster, { ...settings, port }));
    if (next.port === first.port) return next;
    await next.client.end();
    throw new Error(
      `Another program started PostgreSQL on ${cluster.folder} at port ${next.port}. Stop it: Secondlap then restarts its own.`,
    );
  }

  return {
    async stop() {
      stopping = true;
      await server.client.end();
      await watching;
      await server.client.end();
      if (claimed) await shutDown(server);
    },
  };
}
