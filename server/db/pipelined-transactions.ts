import type { PostgresPool } from "kysely";
import type pg from "pg";
import { recordOutage } from "./outages.ts";
import { createPreparer, type Statement } from "./prepared-statements.ts";

/** Ends a statement whose result nobody reads: it is sent together with the next one of its transaction. */
export const sentWithNext = "/* sent with the next statement */";

/** Ends a statement that nobody waits for: the client does not give it up, so PostgreSQL's timeout alone holds. */
export const mayTakeHours = "/* may take hours */";
const hoursMs = 86_400_000;

/**
 * Saves round trips of transactions. BEGIN is sent together with the first statement if that is a SELECT; any
 * other waits for BEGIN, because it would be committed by itself if BEGIN failed. A statement that ends with
 * `sentWithNext` is sent with the next one, which is usually COMMIT and then fails with its error. The pool's
 * clients have to pipeline. `prepare`: whether statements are prepared, which needs a connection that stays the same.
 */
export function pipelineTransactions(pool: pg.Pool, { prepare = true } = {}): PostgresPool {
  const prepared: Preparer = prepare ? createPreparer() : (statement) => statement;
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => holdBack(await pool.connect().catch(rethrow), prepared),
  };
}

function rethrow(error: unknown): never {
  recordOutage(error);
  throw error;
}

type Preparer = ReturnType<typeof createPreparer>;

function holdBack(client: pg.PoolClient, prepared: Preparer): pg.PoolClient {
  let held: Statement[] = [];

  const query = async (text: string, values: unknown[]) => {
    const statement = { text, values };
    if (text === "begin" || text.endsWith(sentWithNext)) {
      held.push(statement);
      return { command: "", rowCount: 0, rows: [] };
    }
    const batch = [...held.filter((one) => text !== "rollback" || isBegin(one)), statement];
    held = [];
    const [first, second] = batch;
    if (first && isBegin(first) && !second?.text.startsWith("select ")) {
      await send([first]);
      batch.shift();
    }
    return await send(batch);
  };

  /** Returns the result of the last statement, or throws the error of the first that failed. */
  async function send(statements: Statement[]) {
    const { stream } = client.connection;
    stream.cork();
    const results = statements.map((one) => client.query(patient(prepared(one))));
    stream.uncork();
    return (await Promise.all(results).catch(rethrow)).at(-1);
  }

  return new Proxy(client, {
    get: (target, name) => (name === "query" ? query : Reflect.get(target, name, target)),
  });
}

/** `pg` takes the time of a single statement from here; its types don't have it. */
function patient(statement: Statement): Statement & { query_timeout?: number } {
  if (!statement.text.endsWith(mayTakeHours)) return statement;
  return { ...statement, query_timeout: hoursMs };
}

function isBegin({ text }: Statement): boolean {
  return text === "begin";
}
