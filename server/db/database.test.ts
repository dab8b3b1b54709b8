import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { idempotencySteps, openDatabase, type Tx, transact } from "./database.ts";

test("a transaction aborted by a deadlock is retried, and both deadlocked transactions commit", async () => {
  const { db, pool } = openDatabase(inject("postgresUrl"));
  const bothLocked = Promise.withResolvers<void>();
  let runs = 0;
  let locked = 0;
  const lockBoth = (first: number, then: number) =>
    transact(db, "lockBoth", async (tx) => {
      runs += 1;
      await lock(tx, first);
      locked += 1;
      if (locked === 2) bothLocked.resolve();
      await bothLocked.promise;
      await lock(tx, then);
    });
  await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
  expect(runs).toBe(3);
  await pool.end();
});

test("if a verb has no result, a retry with the same Idempotency-Key returns undefined, not null", async () => {
  const { db, pool } = openDatabase(inject("postgresUrl"));
  const stored = new Map<string, unknown>();
  const steps = {
    begin: () => {},
    find: async (_: Tx, verb: string) =>
      stored.has(verb) ? { result: stored.get(verb) } : undefined,
    store: async (_: Tx, verb: string, result: unknown) => {
      stored.set(verb, JSON.parse(JSON.stringify(result ?? null)));
    },
  };
  const work = () => transact(db, "doNothing", async () => undefined);
  expect(await idempotencySteps.run(steps, work)).toBeUndefined();
  expect(stored.size).toBe(1);
  expect(await idempotencySteps.run(steps, work)).toBeUndefined();
  await pool.end();
});

const lock = (tx: Tx, key: number) => sql`select pg_advisory_xact_lock(${key})`.execute(tx);
