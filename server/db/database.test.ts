import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { openDatabase, type Tx, transact } from "./database.ts";

test("of two transactions that wait for each other one is run anew, and both are done", async () => {
  const { db, pool } = openDatabase(inject("postgresUrl"));
  const bothHoldOne = Promise.withResolvers<void>();
  let runs = 0;
  let held = 0;
  const lockBoth = (first: number, then: number) =>
    transact(db, "lockBoth", async (tx) => {
      runs += 1;
      await lock(tx, first);
      held += 1;
      if (held === 2) bothHoldOne.resolve();
      await bothHoldOne.promise;
      await lock(tx, then);
    });
  await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
  expect(runs).toBe(3);
  await pool.end();
});

const lock = (tx: Tx, key: number) => sql`select pg_advisory_xact_lock(${key})`.execute(tx);
