import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import pg from "pg";
import { cacheTags } from "#contract/cache-tags.ts";
import type { CurrentShop } from "../current-shop.ts";
import { committedChanges } from "../db/committed-changes.ts";
import type { WalPosition } from "../db/wal-positions.ts";
import { maxStaleMs, type PublicCache } from "./public-cache.ts";

const intervalMs = {
  /** The time between reads of the outbox if no notification arrives. */
  poll: 500,
  notify: 25,
};
/** Without a response for this long, the connection to PostgreSQL is treated as lost. */
const queryTimeoutMs = 2_000;
/** After a longer pause, unread rows may have been deleted (`retentionHours.publicChanges`). */
const maxPauseMs = 10 * 60_000;

/** Triggers such as `record_product_update` record stale tags (`contract/cache-tags.ts`). */
const channel = "public_change";

type Changing = { publicCache: PublicCache; shop: Pick<CurrentShop, "load"> };

/**
 * Reads the outbox every half second, on notification, and before acknowledging a write. While it
 * can't be read, no response comes from the cache (decisions/public-cache).
 */
export async function startCacheInvalidation(
  url: string,
  { publicCache: cache, shop }: Changing,
  log: FastifyBaseLogger,
): Promise<() => Promise<void>> {
  const reader = new ChangeReader(url, { publicCache: cache, shop }, log);
  await reader.connect();
  cache.readChangesWith(() => reader.read());
  const poll = setInterval(() => void reader.read(), intervalMs.poll).unref();
  const onCommit = () => reader.notifySoon();
  committedChanges.subscribe(onCommit);
  return async () => {
    clearInterval(poll);
    committedChanges.unsubscribe(onCommit);
    await reader.stop();
  };
}

class ChangeReader {
  readonly #url: string;
  readonly #cache: PublicCache;
  readonly #shop: Changing["shop"];
  readonly #log: FastifyBaseLogger;
  /** Identifies this node in its notifications. */
  readonly #node = randomUUID();
  #client: pg.Client | undefined;
  #position: ChangePosition = { snapshot: "", readAt: 0, wal: "0/0" };
  #reading: Promise<boolean> | undefined;
  #nextRead: Promise<boolean> | undefined;
  #notifying: NodeJS.Timeout | undefined;
  #mustNotify = false;
  #isOutageLogged = false;
  #stopped = false;

  constructor(url: string, { publicCache, shop }: Changing, log: FastifyBaseLogger) {
    this.#url = url;
    this.#cache = publicCache;
    this.#shop = shop;
    this.#log = log;
  }

  async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "secondlap changes",
      connectionTimeoutMillis: 5_000,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
    });
    client.on("error", (error) => this.#logOutage(error));
    client.on("notification", ({ payload }) => {
      if (payload !== this.#node) void this.read();
    });
    try {
      await client.connect();
      // Commits don't wait for the disk, because a notification need not survive a crash.
      await client.query(`set synchronous_commit = off; listen ${channel}`);
      await this.#restart(client);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    // Added only now, because the caller handles a failed attempt to connect.
    client.once("end", () => this.#disconnected(client));
    this.#client = client;
  }

  /** Reads all changes committed before this call. Resolves with false if the read fails. */
  async read(): Promise<boolean> {
    if (this.#nextRead) return await this.#nextRead;
    if (!this.#reading) return await this.#begin();
    // The current read may have begun before the change that the caller waits for.
    this.#nextRead = this.#reading.then(() => {
      this.#nextRead = undefined;
      return this.#begin();
    });
    return await this.#nextRead;
  }

  /** In a separate transaction, once for all commits within 25 ms. */
  notifySoon(): void {
    this.#notifying ??= setTimeout(() => void this.#notify(), intervalMs.notify).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#notifying);
    await this.#client?.end();
  }

  async #notify(): Promise<void> {
    // Reset first: a commit during the read may be missed and needs another timer.
    this.#notifying = undefined;
    await this.read();
    if (!this.#mustNotify) return;
    this.#mustNotify = false;
    await this.#client?.query("select pg_notify($1, $2)", [channel, this.#node]).catch(() => {});
  }

  #begin(): Promise<boolean> {
    this.#reading = this.#readOnce().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOnce(): Promise<boolean> {
    const client = this.#client;
    if (!client) return false;
    const began = performance.now();
    try {
      if (Date.now() - this.#position.readAt > maxPauseMs) await this.#restart(client);
      const { changes, position } = await readChangesSince(client, this.#position);
      // Set before new renders, which must see the changes (decisions/pooler-and-replicas).
      if (changes.length > 0) this.#cache.setChangePosition(position.wal);
      if (changes.some(({ tags }) => tags.includes(cacheTags.shop))) await this.#shop.load(client);
      for (const { tags } of changes) this.#cache.invalidate(tags);
      this.#position = position;
      this.#mustNotify ||= changes.length > 0;
      this.#cache.setCurrentUntil(began + maxStaleMs);
      this.#logRecovery();
      return true;
    } catch (error) {
      this.#logOutage(error);
      void client.end().catch(() => {});
      return false;
    }
  }

  #logOutage(error: unknown): void {
    if (this.#isOutageLogged || this.#stopped) return;
    this.#isOutageLogged = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warn(
      { reason },
      "changes of public pages can't be read: nothing is served from the cache",
    );
  }

  #logRecovery(): void {
    if (!this.#isOutageLogged) return;
    this.#isOutageLogged = false;
    this.#log.warn("changes of public pages can be read again");
  }

  /** Clears the cache, because older responses may be stale. */
  async #restart(client: pg.Client): Promise<void> {
    this.#position = await currentPosition(client);
    this.#cache.setChangePosition(this.#position.wal);
    await this.#shop.load(client);
    this.#cache.clear();
  }

  #disconnected(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined;
    this.#cache.setCurrentUntil(0);
    if (!this.#stopped) void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let attempt = 0; !this.#stopped; attempt += 1) {
      await wait(Math.min(100 * 2 ** attempt, 2_000), undefined, { ref: false });
      if (this.#stopped) return;
      const connected = await this.connect().then(
        () => true,
        () => false,
      );
      if (!connected) continue;
      if (this.#stopped) await this.#client?.end();
      return;
    }
  }
}

/** `snapshot` is in PostgreSQL's text format. `wal` is a position that includes all its data. */
type ChangePosition = { snapshot: string; readAt: number; wal: WalPosition };

type PublicChange = { tags: string[] };

type Row = { snapshot: string; wal: WalPosition; changes: PublicChange[] };

/** Earlier queries saw no changes after this position. */
async function currentPosition(client: pg.Client): Promise<ChangePosition> {
  const { rows } = await client.query<{ snapshot: string; wal: WalPosition }>(
    "select pg_current_snapshot()::text as snapshot, pg_current_wal_insert_lsn()::text as wal",
  );
  const [{ snapshot, wal } = { snapshot: "", wal: "0/0" }] = rows;
  return { snapshot, wal, readAt: Date.now() };
}

/** Compares snapshots, because transactions don't commit in the order of their ids. */
async function readChangesSince(
  client: pg.Client,
  { snapshot }: ChangePosition,
): Promise<{ changes: PublicChange[]; position: ChangePosition }> {
  const { rows } = await client.query<Row>({
    name: "readPublicChanges",
    text: `
      select pg_current_snapshot()::text as snapshot, pg_current_wal_insert_lsn()::text as wal, coalesce((
        select json_agg(json_build_object('tags', tags) order by at)
        from public_changes
        where xid >= pg_snapshot_xmin($1::pg_snapshot)
          and not pg_visible_in_snapshot(xid, $1::pg_snapshot)
      ), '[]') as changes`,
    values: [snapshot],
  });
  const [read] = rows;
  if (!read) throw new Error("the outbox could not be read");
  return {
    changes: read.changes,
    position: { snapshot: read.snapshot, wal: read.wal, readAt: Date.now() },
  };
}
