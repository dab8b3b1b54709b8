import { once } from "node:events";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { transact } from "../db/database.ts";
import { bookLaptop, listing } from "../testing/marketplace.ts";
import { member } from "../testing/people.ts";
import { openShop } from "../testing/shop.ts";
import { enqueue, forwardJobs } from "./job-queue.ts";

const shop = await openShop();
afterAll(() => shop.close());

const emails = (count: number) => Array.from({ length: count }, (_, n) => `${n}@example.com`);

/** The email addresses in Graphile Worker's jobs, in the order in which the jobs run. */
async function forwarded(): Promise<string[]> {
  const { rows } = await shop.pool.query<{ email: string }>(
    "select payload ->> 'email' as email from graphile_worker._private_jobs order by run_at, id",
  );
  return rows.map(({ email }) => email);
}

test("nodes that forward jobs at the same time forward each job once, oldest first", async () => {
  const { db } = shop.deps;
  await transact(db, "test", async (tx) => {
    for (const email of emails(40)) await enqueue(tx, "offerPasswordReset", { payload: { email } });
  });
  await Promise.all([1, 2, 3, 4].map(() => forwardJobs(db)));
  expect(await forwarded()).toEqual(emails(40));
  expect(await forwardJobs(db)).toBe(false);
  expect(await forwarded()).toHaveLength(40);
});

test("jobs from a failed batch are forwarded with the next batch", async () => {
  const { db } = shop.deps;
  await shop.pool.query(`
    delete from graphile_worker._private_jobs;
    create function refuse_jobs() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
    create trigger refuse_jobs before insert on graphile_worker._private_jobs execute function refuse_jobs()`);
  await enqueue(db, "offerPasswordReset", { payload: { email: "later@example.com" } });
  await expect(forwardJobs(db)).rejects.toThrow("not now");
  await shop.pool.query("drop function refuse_jobs cascade");
  await forwardJobs(db);
  expect(await forwarded()).toEqual(["later@example.com"]);
});

test("a booking sends job runners no NOTIFY, because NOTIFY makes concurrent commits wait for each other", async () => {
  const [seller, buyer] = [await member(shop, { accountType: "seller" }), await member(shop)];
  const product = await listing(seller);
  const client = new pg.Client(shop.databaseUrl);
  await client.connect();
  await client.query('listen "jobs:insert"');
  const notified: (string | undefined)[] = [];
  client.on("notification", ({ payload }) => notified.push(payload));
  await bookLaptop(buyer, product);
  // Notifications arrive in commit order.
  const last = once(client, "notification");
  await shop.pool.query(`notify "jobs:insert", 'after the booking'`);
  await last;
  expect(notified).toEqual(["after the booking"]);
  await client.end();
});
