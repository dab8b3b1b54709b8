import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { migrate } from "#server/db/migrate.ts";
import { openMovingAddress } from "#server/testing/moving-address.ts";
import { startStreamingReplicas, type TestServer } from "#server/testing/streaming-replicas.ts";

export type ReplicaCluster = Awaited<ReturnType<typeof openReplicaCluster>>;

/** Starts a primary with the shop's tables, and up to two streaming replicas. */
export async function openReplicaCluster(...names: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "secondlap-replicas-"));
  const { primary, replicas, stop } = await startStreamingReplicas(folder, names);
  const address = await openMovingAddress(primary.port);
  await migrate(primary.url).catch(async (error: unknown) => {
    address.close();
    await stop();
    throw error;
  });
  return {
    folder,
    primary,
    replicas: replicas as [TestServer, TestServer],
    /** Leads to the primary, and after `promote` to the promoted replica. */
    url: Object.assign(new URL(primary.url), { port: String(address.port) }).href,
    /** Promotes a replica. Then `follower` streams from the promoted replica. */
    async promote(promoted: TestServer, follower?: TestServer): Promise<void> {
      await promoted.ask("select pg_promote()");
      address.moveTo(promoted.port);
      if (!follower) return;
      const [{ primary_conninfo: info = "" } = {}] = await follower.ask("show primary_conninfo");
      const moved = String(info).replace(/port=\d+/, `port=${promoted.port}`);
      await follower.ask(`alter system set primary_conninfo = '${moved}'`);
      await follower.ask("select pg_reload_conf()");
    },
    async untilReplayed(replica: TestServer): Promise<void> {
      const [{ position = "" } = {}] = await primary.ask(
        "select pg_current_wal_flush_lsn() as position",
      );
      const query = `select pg_last_wal_replay_lsn() >= '${position}' as done`;
      await expect.poll(async () => (await replica.ask(query))[0]?.done).toBe(true);
    },
    async stop(): Promise<void> {
      address.close();
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
