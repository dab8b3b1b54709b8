import { sql } from "kysely";
import { Gauge, type Registry } from "prom-client";
import type { Tx } from "../db/database.ts";

/**
 * Reports whether PostgreSQL answers, by a query that takes no time; a slow one about the shop says nothing of it.
 * Returns how to ask. One that is not answered fails after the timeout of `openDatabase`; until then the value stays.
 */
export function measureDatabase(registry: Registry, db: Tx): () => Promise<void> {
  const up = new Gauge({
    name: "secondlap_database_up",
    help: "1 if PostgreSQL answers this node",
    registers: [registry],
  });
  let asked: Promise<void> | undefined;
  return async () => {
    asked ??= sql`select 1`
      .execute(db)
      .then(
        () => up.set(1),
        () => up.set(0),
      )
      .finally(() => {
        asked = undefined;
      });
    await asked;
  };
}
