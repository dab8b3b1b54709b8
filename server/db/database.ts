import { setTimeout as wait } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { publishCommitted } from "./committed-changes.ts";
import { publishQueries } from "./ended-queries.ts";
import { leaveLostServers } from "./failover.ts";
import { idempotencySteps } from "./idempotency-steps.ts";
import { pipelineTransactions } from "./pipelined-transactions.ts";
import type { DB } from "./schema.ts";

/** A transaction, or the pool. Every query takes one, so that none leaves its transaction by accident. */
export type Tx = Kysely<DB>;

export type Database = { db: Kysely<DB>; pool: pg.Pool };

/** Waiting for a connection of the pool may take longer than connecting to PostgreSQL. */
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
  /** Whether a pooler is in between, which may give each transaction another connection (decisions/pooler-and-replicas). */
  pooled?: boolean;
};

/** Opens the pool; statements are cancelled after `statementTimeoutMs`, or never if it is 0, for migrations. */
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
      // A pooler refuses the parameter; its own settings have to set it.
      ...(!pooled && { statement_timeout: statementTimeoutMs }),
      query_timeout: statementTimeoutMs + 5_000,
    }),
    Client: clientClass(connectTimeoutMs),
    application_name: "secondlap",
    pipeline: true,
  });
  // A broken connection is replaced at its next use; without a listener the error would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  leaveLostServers(pool);
  const kyselyPool = pipelineTransactions(pool, { prepare: !pooled });
  const dialect = new PostgresDialect({ pool: kyselyPool });
  return { pool, db: new Kysely<DB>({ dialect, ...publishQueries() }) };
}

/**
 * Runs `work` in one transaction. In a request with an Idempotency-Key each verb runs once, and a retry gets
 * its stored result, which must survive JSON (decisions/idempotency).
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
    // A concurrent request with the same key may have done this step, and so caused the error.
    const winner = await steps.find(db, verb);
    if (winner) return resultOf<T>(winner);
    throw error;
  }
}

/** JSON has no undefined, so a verb that returns nothing is replayed as such, and none returns null. */
function resultOf<T>({ result }: { result: unknown }): T {
  return (result ?? undefined) as T;
}

/** PostgreSQL aborts one of two deadlocked transactions; it is run again. */
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

/** Checks whether PostgreSQL responds in time; concurrent checks share one query, to save connections. */
export function createReachabilityCheck(tx: Tx, timeoutMs = 2_000): () => Promise<boolean> {
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
    return await Promise.race([running, wait(timeoutMs, false, { ref: false })]);
  };
}
