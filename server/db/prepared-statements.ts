import { createHash } from "node:crypto";
import type { PostgresPool } from "kysely";
import type pg from "pg";
import { recordOutage } from "./unavailable.ts";

/** PostgreSQL parses a named statement only once per connection. */
type Statement = { text: string; values?: unknown[]; name?: string; query_timeout?: number };

/** SQL: a comment at the end of a statement, which raises the client's query timeout to a day. */
export const mayTakeHours = "/* may take hours */";
const hoursMs = 86_400_000;

/** Limits memory, because each length of a list of values makes another statement. */
const maxPrepared = 500;

/** Records outages. If `prepare`, prepares repeated statements (decisions/pooler-and-replicas). */
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
 * Sends `begin` together with a first SELECT, which saves a round trip. Any other statement waits,
 * because it would run and commit on its own if `begin` were canceled.
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

/** `pg` accepts `query_timeout` for a single query, but its types lack this option. */
function withTimeout(statement: Statement): Statement {
  if (!statement.text.endsWith(mayTakeHours)) return statement;
  return { ...statement, query_timeout: hoursMs };
}

/**
 * Names statements, so that PostgreSQL prepares them. Skips statements without parameters, which
 * `pg` sends in the simple protocol. Skips `*`, which would fail after a migration adds a column.
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
