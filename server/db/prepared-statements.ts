import { createHash } from "node:crypto";
import type { PostgresPool } from "kysely";
import type pg from "pg";
import { recordOutage } from "./outages.ts";

/** A statement for `pg`. With a name, it is parsed once per connection and planned a few times. */
type Statement = { text: string; values?: unknown[]; name?: string; query_timeout?: number };

/** Marks a statement that may run long: only PostgreSQL's timeout applies, not the client's. */
export const mayTakeHours = "/* may take hours */";
const hoursMs = 86_400_000;

/**
 * Each connection keeps its prepared statements. The program sends 300 texts. Only lists of values
 * add more.
 */
const maxPrepared = 500;

/**
 * Wraps a pool so that its statements are prepared and lost connections are recorded. `prepare` is
 * false behind a pooler, where each transaction may get another connection
 * (decisions/pooler-and-replicas).
 */
export function preparedStatements(pool: pg.Pool, { prepare = true } = {}): PostgresPool {
  const named = prepare ? createPreparer() : (statement: Statement) => statement;
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch(rethrow);
      const query = (text: string, values: unknown[]) =>
        client.query(named(withTimeout({ text, values }))).catch(rethrow);
      return new Proxy(client, {
        get: (target, name) => (name === "query" ? query : Reflect.get(target, name, target)),
      });
    },
  };
}

function rethrow(error: unknown): never {
  recordOutage(error);
  throw error;
}

/** `pg` accepts a timeout for a single statement here, but its types lack it. */
function withTimeout(statement: Statement): Statement {
  if (!statement.text.endsWith(mayTakeHours)) return statement;
  return { ...statement, query_timeout: hoursMs };
}

/**
 * Returns a function that names the statements of one pool by a hash of their text, so that they
 * are prepared. It skips statements without parameters, which `pg` sends in the simple protocol. It
 * also skips statements with `*`: they would fail after a migration added a column.
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
