import { setTimeout as wait } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { adopt, launch, type Server, shutDown } from "./postgres-process.ts";

type Options = {
  cluster: Cluster;
  settings: Record<string, string>;
  report: (line: string) => void;
};

/** The advisory lock ends with the process. */
export async function claim({ client }: Server, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (true) {
    const { rows } = await client.query("select pg_try_advisory_lock(1) as claimed");
    if (rows[0].claimed || Date.now() >= deadline) return rows[0].claimed;
    await wait(50);
  }
}

/** Until `stop`, reconnects to or relaunches PostgreSQL, and claims it again. */
export function supervise(
  first: Server,
  { cluster, settings, report }: Options,
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
