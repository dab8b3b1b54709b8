import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";
import { setTimeout as wait } from "node:timers/promises";
import {
  Kysely,
  type LogEvent,
  type OperationNodeSource,
  PostgresDialect,
  type RawBuilder,
  sql,
} from "kysely";
import pg from "pg";
import { publishCommitted } from "./committed-changes.ts";
import { preparedStatements } from "./prepared-statements.ts";
import type { DB } from "./schema.ts";

/** A transaction or the pool. Passed as a parameter, so each query runs in the right one. */
export type Tx = Kysely<DB>;

/** Messages are Kysely's `LogEvent`, published in the async context of the query's caller. */
export const endedQueries = channel("secondlap.queries");

/** Stores each verb's result in the verb's transaction, for retries (decisions/idempotency). */
export type IdempotencySteps = {
  /** Throws if the request already ran this verb: a second run would get the first result. */
  begin(verb: string): void;
  find(tx: Tx, verb: string): Promise<{ result: unknown } | undefined>;
  /** Throws if a concurrent request with the same key stored its result first. */
  store(tx: Tx, verb: string, result: unknown): Promise<void>;
};

export const idempotencySteps = new AsyncLocalStorage<IdempotencySteps>();

export type Database = { db: Kysely<DB>; pool: pg.Pool };

/** Limits the time to connect. The pool's longer timeout covers the wait for a connection too. */
function clientClass(connectTimeoutMs: number): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectTimeoutMs });
    }
  };
}

type Options = {
  connections?: number;
  statementTimeoutMs?: number;
  connectTimeoutMs?: number;
  /** Whether a pooler assigns connections to transactions (decisions/pooler-and-replicas). */
  pooled?: boolean;
};

/** A `statementTimeoutMs` of 0 means no limit. */
export function openDatabase(
  url: string,
  {
    connections = 10,
    statementTimeoutMs = 15_000,
    connectTimeoutMs = Math.max(5_000, statementTimeoutMs / 3),
    pooled = false,
  }: Options = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs + (statementTimeoutMs || 15_000),
    ...(statementTimeoutMs > 0 && {
      // A pooler rejects `statement_timeout`: set it in the pooler's configuration.
      ...(!pooled && { statement_timeout: statementTimeoutMs }),
      query_timeout: statementTimeoutMs + 5_000,
    }),
    Client: clientClass(connectTimeoutMs),
    application_name: "secondlap",
    // Makes `pg` close a connection after a timeout, so that ROLLBACK need not wait for the query.
    pipeline: true,
  });
  // The pool replaces broken connections. Without listeners, their errors would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  leaveLostServers(pool);
  const kyselyPool = preparedStatements(pool, { prepare: !pooled });
  const dialect = new PostgresDialect({ pool: kyselyPool });
  // Kysely measures queries only if the channel has a subscriber when the database is opened.
  const log = (event: LogEvent) => endedQueries.publish(event);
  const db = new Kysely<DB>({ dialect, ...(endedQueries.hasSubscribers && { log }) });
  return { pool, db };
}

/**
 * Runs `work` in one transaction, repeated after a deadlock. With an Idempotency-Key, a retry gets
 * the stored result, so results must survive JSON (decisions/idempotency).
 */
export async function transact<T>(
  db: Kysely<DB>,
  verb: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const steps = idempotencySteps.getStore();
  if (!steps) return await runWithRetry(db, work);
  steps.begin(verb);
  const stored = await steps.find(db, verb);
  if (stored) return resultOf<T>(stored);
  try {
    return await runWithRetry(db, async (tx) => {
      const result = await work(tx);
      await steps.store(tx, verb, result);
      return result;
    });
  } catch (error) {
    const winner = await steps.find(db, verb);
    if (winner) return resultOf<T>(winner);
    throw error;
  }
}

/** A missing result is stored as null, so a verb must not return null. */
function resultOf<T>({ result }: { result: unknown }): T {
  return (result ?? undefined) as T;
}

async function runWithRetry<T>(
  db: Kysely<DB>,
  work: (tx: Tx) => Promise<T>,
  attempts = 3,
): Promise<T> {
  try {
    let committed: object = {};
    const result = await db.transaction().execute(async (tx) => {
      committed = tx;
      return await work(tx);
    });
    publishCommitted(committed);
    return result;
  } catch (error) {
    if (attempts === 1 || !isDeadlock(error)) throw error;
    return await runWithRetry(db, work, attempts - 1);
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "40P01";
}

/**
 * Returns a check of whether the database responds. Concurrent checks share one query. Without
 * `timeoutMs`, the timeout of `openDatabase` applies.
 */
export function createReachabilityCheck(tx: Tx, timeoutMs?: number): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return async () => {
    running ??= sql`select 1`
      .execute(tx)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        running = undefined;
      });
    if (timeoutMs === undefined) return await running;
    return await Promise.race([running, wait(timeoutMs, false, { ref: false })]);
  };
}

/** Inserts in one round trip. Inserts can't see each other's rows; foreign key checks can. */
export async function insertTogether<Row>(
  tx: Tx,
  inserts: OperationNodeSource[],
  selection: RawBuilder<Row> = sql`select`,
): Promise<Row[]> {
  const named = inserts.map((insert, index) => sql`${sql.id(`insert_${index}`)} as (${insert})`);
  const { rows } = await sql<Row>`with ${sql.join(named)} ${selection}`.execute(tx);
  return rows;
}

/** For a query that always has a row, such as a count. */
export async function readRow<Row>(tx: Tx, query: RawBuilder<Row>): Promise<Row> {
  const [row] = (await query.execute(tx)).rows;
  if (!row) throw new Error("PostgreSQL returned no row.");
  return row;
}

/** PostgreSQL's `read_only_sql_transaction`: a write on a replica, such as a former primary. */
const readOnly = "25006";

/**
 * Closes all connections when one finds its server read-only or silent. After a failover, open
 * connections stay with the old primary, and each would fail one request.
 */
function leaveLostServers(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  const busy = new Set<pg.PoolClient>();
  let leaving = new WeakSet<pg.PoolClient>();

  const leave = () => {
    leaving = new WeakSet(busy);
    // The pool drops an idle connection when its socket is destroyed.
    for (const client of idle) client.connection.stream.destroy();
  };
  pool.on("connect", (client) => {
    client.connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === readOnly) leave();
    });
  });
  pool.on("acquire", (client) => {
    idle.delete(client);
    busy.add(client);
  });
  pool.on("release", (_, client) => {
    busy.delete(client);
    const isSilent = hasActiveQuery(client);
    if (isSilent) leave();
    if (isSilent || leaving.has(client)) void client.end();
    else idle.add(client);
  });
  pool.on("remove", (client) => idle.delete(client));
}

/** Whether a timed-out query still runs. If so, the connection must not be reused. */
function hasActiveQuery(client: pg.PoolClient): boolean {
  return client instanceof pg.Client && "_activeQuery" in client && client._activeQuery !== null;
}
