import type { PostgresPool } from "kysely";
import type pg from "pg";

/**
 * Sends BEGIN together with the first statement of a transaction if that is a SELECT: one round trip less. Any
 * other statement waits for BEGIN: should that fail, it would be committed by itself. The pool's clients have
 * to pipeline.
 */
export function pipelineBegin(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => delayBegin(await pool.connect()),
  };
}

function delayBegin(client: pg.PoolClient): pg.PoolClient {
  let delayed = false;
  const query = async (text: string, values: unknown[]) => {
    if (text === "begin") {
      delayed = true;
      return { command: "BEGIN", rowCount: 0, rows: [] };
    }
    if (!delayed) return await client.query(text, values);
    delayed = false;
    const begun = client.query("begin");
    if (!text.startsWith("select ")) await begun;
    const [, result] = await Promise.all([begun, client.query(text, values)]);
    return result;
  };
  return new Proxy(client, {
    get: (target, name) => (name === "query" ? query : Reflect.get(target, name, target)),
  });
}
