import type { FastifyBaseLogger } from "fastify";
import pg from "pg";
import { cacheTags } from "#contract/cache-tags.ts";
import type { CurrentShop } from "../current-shop.ts";
import { committedChanges, followCommits } from "../db/committed-changes.ts";
import type { WalPosition } from "../db/wal-positions.ts";
import { maxStaleMs, type PublicCache } from "./public-cache.ts";

const pollMs = 500;
/** Without a response for this long, the connection to PostgreSQL is treated as lost. */
const queryTimeoutMs = 2_000;
/** Must be well below `retentionHours.publicChanges`, after which unread rows are deleted. */
const maxPauseMs = 10 * 60_000;

type Changing = { publicCache: PublicCache; shop: Pick<CurrentShop, "load"> };

/** `snapshot` is in PostgreSQL's text format. All commits that it sees are before `wal`. */
type ChangePosition = { snapshot: string; wal: WalPosition; readAt: number };

/**
 * Reads stale tags every half second, after this node's commits, and before acknowledging a write.
 * While they can't be read, no tagged response comes from the cache (decisions/public-cache).
 */
export async function startCacheInvalidation(
  url: string,
  { publicCache, shop }: Changing,
  log: FastifyBaseLogger,
): Promise<() => Promise<void>> {
  const pool = openChangePool(url);
  /** Undefined before the first read on each connection. */
  let position: ChangePosition | undefined;
  /** True after a failed read. Repeated failures are logged only once. */
  let isFailing = false;
  let isStopped = false;
  pool.on("connect", () => {
    // `public_changes` is unlogged, so a crash or failover of PostgreSQL empties the table.
    position = undefined;
  });
  await readOrThrow();
  const reading = followCommits(committedChanges, read, pollMs);
  // During an outage, only polling tries again, so that no request waits for a failing read.
  publicCache.readChanges = async () => !isFailing && (await reading.run());
  return async () => {
    reading.stop();
    isStopped = true;
    await pool.end();
  };

  /** Resolves with false if the read fails. */
  async function read(): Promise<boolean> {
    try {
      await readOrThrow();
      if (isFailing) log.warn("changes of public pages can be read again");
      isFailing = false;
      return true;
    } catch (error) {
      publicCache.setCurrentUntil(0);
      if (!isFailing && !isStopped) logOutage(log, error);
      isFailing = true;
      return false;
    }
  }

  async function readOrThrow(): Promise<void> {
    const began = performance.now();
    const client = await pool.connect();
    try {
      await readWith(client);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
    publicCache.setCurrentUntil(began + maxStaleMs);
  }

  async function readWith(client: pg.PoolClient): Promise<void> {
    const readAt = Date.now();
    const isComplete = position !== undefined && readAt - position.readAt <= maxPauseMs;
    const { snapshot, wal, changed } = await readChangesSince(client, position?.snapshot);
    const tags = isComplete ? changed : [cacheTags.all];
    if (tags.length > 0) {
      // Set before new renders, which must see the changes (decisions/pooler-and-replicas).
      publicCache.setChangePosition(wal);
      if (!isComplete || tags.includes(cacheTags.shop)) await shop.load(client);
      publicCache.invalidate(tags);
    }
    position = { snapshot, wal, readAt };
  }
}

/** A connection of its own, so that reading never waits for the pool of requests. */
function openChangePool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: "secondlap changes",
    connectionTimeoutMillis: 5_000,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
  });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

function logOutage(log: FastifyBaseLogger, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  log.warn({ reason }, "changes of public pages can't be read: nothing is served from the cache");
}

type Changes = { snapshot: string; wal: WalPosition; changed: string[] };

/**
 * Triggers such as `record_product_update` record stale tags (`contract/cache-tags.ts`). Compares
 * snapshots, because transactions don't commit in the order of their ids.
 */
async function readChangesSince(client: pg.PoolClient, snapshot = ""): Promise<Changes> {
  const { rows } = await client.query<Changes>({
    name: "readPublicChanges",
    text: `
      select pg_current_snapshot()::text as snapshot, pg_current_wal_insert_lsn()::text as wal, array(
        select distinct unnest(tags) from public_changes
        where xid >= pg_snapshot_xmin(nullif($1, '')::pg_snapshot)
          and not pg_visible_in_snapshot(xid, nullif($1, '')::pg_snapshot)
      ) as changed`,
    values: [snapshot],
  });
  const [read] = rows;
  if (!read) throw new Error("the outbox could not be read");
  return read;
}
