import { createHash } from "node:crypto";
import type { PostgresPool } from "kysely";
import type pg from "pg";
import { recordOutage } from "./unavailable.ts";

/** A statement for `pg`. PostgreSQL parses a named statement only once per connection. */
type Statement = { text: string; values?: unknown[]; name?: string; query_timeout?: number };

/** The suffix of a statement that may run long. Only PostgreSQL's own timeout applies to it. */
export const mayTakeHours = "/* may take hours */";
const hoursMs = 86_400_000;

/**
 * Limits the memory that each connection uses for its prepared statements. The program has about
 * 300 statements, but a statement with a list of values has a variant for each length of the list.
 */
const maxPrepared = 500;

/**
 * Wraps a pool so that its statements are prepared and database outages are recorded. `prepare` is
 * false behind a pooler, where each transaction may run on another connection
 * (decisions/pooler-and-replicas).
 */
export function preparedStatements(pool: pg.Pool, { prepare = true } = {}): PostgresPool {
  const named = prepare ? createPreparer() : (statement: Statement) => statement;
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch(rethrow);
      const send = (text: string, values: unknown[]) =>
        client.query(named(withTimeout({ text, values }))).catch(rethrow);
      const query = sendBeginWithSelect(send);
      return new Proxy(client, {
        get: (target, name) => (name === "query" ? query : Reflect.get(target, name, target)),
      });
    },
  };
}

type Send = (text: string, values: unknown[]) => Promise<pg.QueryResult>;

const begun = { command: "BEGIN", rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * Saves a round trip per transaction: sends `begin` together with the first statement if it is a
 * SELECT. Any other first statement waits: if `begin` were canceled, that statement would still run
 * and commit on its own.
 */
function sendBeginWithSelect(send: Send): Send {
  let begin: Promise<unknown> | undefined;
  return async (text, values) => {
    if (text === "begin") {
      begin = send(text, values);
      begin.catch(() => {});
      return begun;
    }
    if (!begin) return await send(text, values);
    if (!/^\s*select\b/i.test(text)) await begin;
    const [result] = await Promise.all([send(text, values), begin]);
    return result;
  };
}

function rethrow(error: unknown): never {
  recordOutage(error);
  throw error;
}

/** Overrides the timeout of a long statement. `pg` accepts this option, but its types lack it. */
function withTimeout(statement: Statement): Statement {
  if (!statement.text.endsWith(mayTakeHours)) return statement;
  return { ...statement, query_timeout: hoursMs };
}

/**
 * Returns a function that names each statement by a hash of its text, so that PostgreSQL prepares
 * it. Statements without parameters get no name, because `pg` sends them in the simple protocol.
 * Statements with `*` get no name either, because they would fail after a migration adds a column.
 */
function createPreparer(): (statement: Statement) => Statement {
  const names = new Map<string, string>();
  return ({ values, ...statement }) => {
    const { text } = statement;
    if (!values?.length) return statement;
    if (/\b(select|returning) \*|\.\*/.test(text)) return { ...statement, values };
    if (!names.has(text) && names.size < maxPrepared) names.set(text, hashOf(text));
    const name = names.get(text);
    return { ...statement, values, ...(name !== undefined && { name }) };
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
