import { sql } from "kysely";
import { expect } from "vitest";
import { readHealth, retryJobs } from "#contract/health.ts";
import { transact } from "../../db/database.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { giveUp } from "../../testing/jobs.ts";
import { member } from "../../testing/people.ts";
import { run, waitForExit } from "../../testing/program.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest();

const giveUpReset = (shop: Shop) =>
  transact(shop.deps.db, "test", (tx) =>
    giveUp(tx, "offerPasswordReset", { email: "a@b.example" }),
  );

const jobs = async (shop: Shop, command: string) => {
  const { code, said } = await waitForExit(
    run({ DATABASE_URL: shop.databaseUrl }, ["server/cli/jobs.ts", command]),
  );
  return [code, said];
};

test("an admin can retry given-up jobs immediately, and jobs with attempts left keep their delay", async ({
  shop,
}) => {
  const { db } = shop.deps;
  const admin = await member(shop, { isAdmin: true });
  await giveUpReset(shop);
  await sql`
    select graphile_worker.add_job('cleanUp', '{}'::json, run_at => now() + interval '1 hour')`.execute(
    db,
  );
  await sql`update graphile_worker._private_jobs set attempts = 3 where attempts = 0`.execute(db);
  expect((await admin.call(readHealth, {})).problems).toContain("jobsGivenUp");

  expect(await admin.call(retryJobs, {})).toEqual({ acknowledged: true, modifiedCount: 1 });
  const { problems, shop: waiting } = await admin.call(readHealth, {});
  expect(problems).not.toContain("jobsGivenUp");
  expect(waiting.jobs).toMatchObject([
    { task: "cleanUp", due: 0, retried: 1, givenUp: 0 },
    { task: "offerPasswordReset", due: 1, retried: 0, givenUp: 0 },
  ]);
  await sql`delete from graphile_worker._private_jobs`.execute(db);
});

test("npm run jobs -- retry reschedules given-up jobs and prints how many", async ({ shop }) => {
  await giveUpReset(shop);
  await giveUpReset(shop);
  expect(await jobs(shop, "retry")).toEqual([0, "2 jobs will be tried again.\n"]);
  expect(await jobs(shop, "retry")).toEqual([0, "No job has been given up.\n"]);
  expect(await jobs(shop, "retyr")).toEqual([1, "Usage: npm run jobs -- retry\n"]);
});
