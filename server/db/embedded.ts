import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasCluster, openCluster } from "./embedded-cluster.ts";
import { adopt, launch, type Server, shutDown } from "./embedded-server.ts";

export type EmbeddedPostgres = {
  /** The address of the database `secondlap`, as its owner. */
  url: string;
  /** Shuts PostgreSQL down, or only takes leave where it is another process's. */
  stop(): Promise<void>;
};

type Options = {
  /** The cluster is kept below it in `postgres`, its log beside that in `postgres.log`. */
  dataDir: string;
  /** PostgreSQL's settings; they take effect when it starts, not where it runs already. */
  settings?: Record<string, string>;
  /** Whether to join a PostgreSQL that another process may be using; it is never made anew then. */
  shared?: boolean;
};

/**
 * Starts PostgreSQL on `dataDir`, or adopts the one that a killed process left running there. A Ctrl-C in
 * the terminal does not reach it, so that requests can be finished before `stop`. Throws an error whose
 * message is a sentence for the person at the terminal.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { settings = {}, shared = false } = options;
  const dataDir = resolve(options.dataDir);
  try {
    if (shared) await requireCluster(dataDir);
    const cluster = await openCluster(dataDir);
    const server = (await adopt(cluster)) ?? (await launch(cluster, settings));
    const ours = await claim(server, shared ? 0 : 3_000);
    if (!ours && !shared) {
      await server.client.end();
      throw new Error(
        `Another Secondlap uses the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
      );
    }
    return {
      url: `postgres://secondlap:${cluster.passwords.secondlap}@127.0.0.1:${server.port}/secondlap`,
      async stop() {
        await server.client.end();
        if (ours) await shutDown(server);
      },
    };
  } catch (error) {
    throw new Error(inWords(error as NodeJS.ErrnoException, dataDir), { cause: error });
  }
}

/**
 * Claims the server for this process with a lock that PostgreSQL lets go of by itself when the process
 * ends, however it ends. Waits `patience` milliseconds for one that is just ending.
 */
async function claim({ client }: Server, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience;
  while (true) {
    const { rows } = await client.query("select pg_try_advisory_lock(1) as claimed");
    if (rows[0].claimed || Date.now() >= deadline) return rows[0].claimed;
    await pause(50);
  }
}

async function requireCluster(dataDir: string): Promise<void> {
  if (await hasCluster(dataDir)) return;
  throw new Error(
    `There is no shop in ${dataDir} yet. Start one with npm start, or set DATA_DIR to the folder it is in.`,
  );
}

const unusable = new Set(["EACCES", "EPERM", "EROFS"]);

function inWords({ message, code, path }: NodeJS.ErrnoException, dataDir: string): string {
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
