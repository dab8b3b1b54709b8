import { createHash } from "node:crypto";
import type { PostgresPool } from "kysely";
import type pg from "pg";
import { recordOutage } from "./outages.ts";

/** A statement for `pg`; one with a name is parsed once for each connection, and planned at most a few times. */
type Statement = { text: string; values?: unknown[]; name?: string; query_timeout?: number };

/** Ends a statement that nobody waits for: the client does not give it up, so PostgreSQL's timeout alone holds. */
export const mayTakeHours = "/* may take hours */";
const hoursMs = 86_400_000;

/** Each connection keeps what it has prepared. The program sends 300 texts; only lists of values make more. */
const maxPrepared = 500;

/**
 * Wraps a pool so that its statements are prepared and lost connections are noticed. `prepare` is false behind a
 * pooler, which may give each transaction another connection (decisions/pooler-and-replicas).
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

/** `pg` takes the time of a single statement from here; its types don't have it. */
function withTimeout(statement: Statement): Statement {
  if (!statement.text.endsWith(mayTakeHours)) return statement;
  return { ...statement, query_timeout: hoursMs };
}

/**
 * Returns a function for the statements of one pool: it names a statement by a hash of its text, so that it is
 * prepared. Not one without parameters, which `pg` sends in the simple protocol, and not one with `*`: a prepared one
 * fails after a migration has added a column.
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
