import type { PostgresPool } from "kysely";
import type pg from "pg";
import { recordOutage } from "./outages.ts";
import { createPreparer, type Statement } from "./prepared-statements.ts";

/** Marks a statement without a needed result, to be sent together with the transaction's next one. */
export const sentWithNext = "/* sent with the next statement */";

/** Marks a statement that may run long: only PostgreSQL's timeout applies, not the client's. */
export const mayTakeHours = "/* may take hours */";
const hoursMs = 86_400_000;

/**
 * Saves round trips in transactions. BEGIN is sent together with the first statement if that is a
 * SELECT. Others wait for BEGIN, because they would commit on their own if it failed. A statement
 * that ends with `sentWithNext` is sent with the next one, usually COMMIT, which then fails with its
 * error. The pool's clients must pipeline. `prepare` must be false behind a pooler.
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

  /** Returns the last statement's result, or throws the error of the first one that failed. */
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

/** `pg` accepts a timeout for a single statement here, but its types lack it. */
function patient(statement: Statement): Statement & { query_timeout?: number } {
  if (!statement.text.endsWith(mayTakeHours)) return statement;
  return { ...statement, query_timeout: hoursMs };
}

function isBegin({ text }: Statement): boolean {
  return text === "begin";
}
