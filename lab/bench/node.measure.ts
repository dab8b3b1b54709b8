import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import pg from "pg";
import { expect, test } from "vitest";
import { openShop, type Shop } from "#server/testing/shop.ts";

const idleSeconds = 30;
const jobs = 1_000;

/** Counts the statements of a node without visitors, and the jobs that one node runs per second. */
test("measures an idle node and its job rates", async () => {
  const shop = await openShop({ sandbox: true, worker: true, cron: true });
  const send = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  let statements = 0;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...given: unknown[]) {
      statements += 1;
      return send.apply(this, given);
    },
  });
  statements = 0;
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000));
  const idle = Number((statements / idleSeconds).toFixed(1));
  const { rows } = await shop.pool.query<{ connections: number }>(
    "select count(*)::int as connections from pg_stat_activity where datname = current_database()",
  );
  const found = {
    statementsPerSecondIdle: idle,
    connectionsIdle: rows[0]?.connections,
    jobsPerSecond: await rateOf(shop, "expireHold", () => ({ bookingId: randomUUID() })),
    emailsPerSecond: await rateOf(shop, "sendMail", () => ({
      ...{ to: "ada@example.com", subject: "Hello", text: "Hello", html: "<p>Hello</p>" },
    })),
  };
  Object.assign(pg.Client.prototype, { query: send });
  await shop.close();
  console.log(found);
  writeFileSync(new URL("node.json", import.meta.url), `${JSON.stringify(found, null, 2)}\n`);
  expect(found.connectionsIdle).toBeGreaterThan(3);
});

/** Jobs per second, from when all jobs are queued until no job is left. */
async function rateOf({ pool }: Shop, task: string, payload: () => object): Promise<number> {
  await pool.query(
    `select graphile_worker.add_jobs(array(
      select row($1, value, null, null, null, null, null, null)::graphile_worker.job_spec from json_array_elements($2)))`,
    [task, JSON.stringify(Array.from({ length: jobs }, payload))],
  );
  const began = performance.now();
  const left =
    "select count(*)::int as jobs from graphile_worker.jobs where task_identifier = $1 and attempts < max_attempts";
  while (((await pool.query<{ jobs: number }>(left, [task])).rows[0]?.jobs ?? 0) > 0)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return Math.round(jobs / ((performance.now() - began) / 1_000));
}
