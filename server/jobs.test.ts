import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enqueue, freeLostJobs } from "./jobs.ts";
import { memberOf } from "./testing/people.ts";
import { openShop, type Shop } from "./testing/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test("money waits behind no letter", async () => {
  const letter = { to: "ada@example.com", subject: "Hello", text: "Hello", html: "Hello" };
  await enqueue(shop.deps.db, "sendMail", { payload: letter });
  await enqueue(shop.deps.db, "refundPayment", { payload: { paymentId: "due" } });
  const { rows } = await shop.pool.query(
    "select task_identifier from graphile_worker.jobs order by priority, run_at, id",
  );
  expect(rows.map((job) => job.task_identifier)).toEqual(["refundPayment", "sendMail"]);
  await shop.pool.query("delete from graphile_worker._private_jobs");
});

test("the jobs of a process that died are free again, those being done are not", async () => {
  const { pool, deps } = shop;
  for (const email of ["lost@example.com", "running@example.com"]) {
    await enqueue(deps.db, "offerPasswordReset", { payload: { email } });
  }
  await pool.query(`
    update graphile_worker._private_jobs set
      locked_by = payload ->> 'email',
      locked_at = now() - case payload ->> 'email' when 'lost@example.com' then interval '11 minutes' else interval '9 minutes' end`);
  await freeLostJobs(deps.db);
  const { rows } = await pool.query("select locked_by from graphile_worker.jobs order by id");
  expect(rows).toEqual([{ locked_by: null }, { locked_by: "running@example.com" }]);
});

test("a runner that can't write down how a job ended is replaced, whatever else it was doing", async () => {
  const busy = await openShop({ worker: true });
  const { pool, deps } = busy;
  const leave = (email: string) => enqueue(deps.db, "offerPasswordReset", { payload: { email } });
  const attempts = async (email: string) => {
    const ofJob =
      "select attempts from graphile_worker._private_jobs where payload ->> 'email' = $1";
    return (await pool.query(ofJob, [email])).rows[0]?.attempts;
  };
  await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
    create trigger refuse before delete on graphile_worker._private_jobs for each row
      when (old.payload ->> 'email' = 'unwritable') execute function refuse()`);
  // With the one whose end can't be written as many as are done at once.
  const members = await Promise.all([1, 2, 3].map(() => memberOf(busy)));
  const slow = members.map(({ email }) => email);
  const locks = await Promise.all(slow.map((email) => lockUser(pool, email)));
  for (const email of [...slow, "unwritable"]) {
    await leave(email);
    await expect.poll(() => attempts(email)).toBe(1);
  }
  await wait(200);
  for (const [index, email] of slow.entries()) {
    await locks[index]?.();
    await expect.poll(() => attempts(email)).toBeUndefined();
  }
  await leave("afterwards");
  await expect.poll(() => attempts("afterwards"), { timeout: 10_000 }).toBeUndefined();
  await busy.close();
});

/** Keeps jobs about a user from going on; answers how to let them. */
async function lockUser(pool: pg.Pool, email: string): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query("begin");
  await client.query('select from identity."user" where email = $1 for update', [email]);
  return async () => {
    await client.query("commit");
    client.release();
  };
}
