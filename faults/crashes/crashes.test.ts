import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#server/clock.ts";
import type { Database } from "#server/db/database.ts";
import { createTestDatabase } from "#server/testing/create-test-database.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { orderFor } from "#server/testing/marketplace.ts";
import { openTestDatabase } from "#server/testing/test-connections.ts";
import { newCallLog } from "../load/acknowledged-calls.ts";
import { createLoadClients, createSignedInMember } from "../load/load-clients.ts";
import { findHome, type Home, type Program, startProgram } from "../load/program.ts";
import { countViolations, unlockJobs, violationsWhenIdle } from "../load/quiesce.ts";
import { requestWithRetries } from "../load/retrying-client.ts";
import {
  countReversals,
  countSettlements,
  hurrySettlements,
  untilReversal,
} from "../load/settle-load.ts";
import { logResult, runOptions, timeBudget } from "../run-options.ts";

const { seed, long } = runOptions();
const kills = long ? 200 : 1;
const killsToReversal = long ? 5 : Number.POSITIVE_INFINITY;

let dataDir: string;
let database: Database;
let home: Home;
let program: Program | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secondlap-crashes-"));
  const databaseUrl = await createTestDatabase("crashes");
  database = openTestDatabase(databaseUrl, 4);
  home = await findHome(databaseUrl, dataDir);
  program = await startProgram(home);
});
afterAll(async () => {
  await program?.stop();
  await database?.pool.end();
  await rm(dataDir, { recursive: true, force: true });
});

/** SQL: jobs that the server also queues at each start or on a schedule. */
const ofEveryStart = "('reconcile', 'indexListings', 'refreshVocabulary')";

test("buyer and seller each get one email, even if the server is killed before a committed booking's jobs are forwarded", async () => {
  const { db, pool } = database;
  const [seller, buyer] = [
    await createSignedInMember(db, "seller"),
    await createSignedInMember(db, "buyer"),
  ];
  const product = await insertLaptop({ deps: { db, clock: systemClock } }, seller);

  const blocker = await pool.connect();
  await blocker.query("begin; lock table graphile_worker._private_jobs in exclusive mode");
  const { token } = buyer;
  const context = { url: home.url, token, log: newCallLog() };
  const held = await requestWithRetries(context, "POST /bookingProducts", orderFor(product));
  expect(held.status).toBe(201);
  await program?.kill();
  await pool.query(
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  await blocker.query("rollback");
  blocker.release();
  expect(await tasks(`select task from job_outbox where task not in ${ofEveryStart}`)).toEqual([
    "expireHold",
    "sendMail",
    "sendMail",
  ]);

  program = await startProgram(home);
  const left = `select task from (select task from job_outbox
    union all select task_identifier from graphile_worker.jobs) as jobs (task) where task not in ${ofEveryStart}`;
  await expect.poll(() => tasks(left)).toEqual(["expireHold"]);
  const inbox = await fetch(`http://127.0.0.1:${home.sandboxPort}/mail/messages`);
  const mails = (await inbox.json()) as { to: string[] }[];
  expect(mails.flatMap(({ to }) => to).sort()).toEqual([buyer.email, seller.email].sort());
});

async function tasks(query: string): Promise<string[]> {
  return (await database.pool.query<{ task: string }>(query)).rows.map(({ task }) => task).sort();
}

test("a server killed at random moments under load loses nothing, sells nothing twice and charges no one wrongly", {
  timeout: kills * 900_000,
}, async ({ signal }) => {
  const log = newCallLog();
  const { url, desk } = home;
  const options = { url, desk, db: database.db, log, seed, refunds: true };
  const clients = await createLoadClients(options, 8);

  const broken: string[] = [];
  const hasTime = timeBudget(signal);
  let done = 0;
  let inReversals = 0;
  for (const moment of fc.sample(fc.integer({ min: 20, max: 1_500 }), { seed, numRuns: kills })) {
    await clients.runLoad(() => killAfter(moment));
    broken.push(...(await violationsWhenIdle({ pool: database.pool, desk, log })));
    if (broken.length > 0) break;
    done += 1;
    if (!hasTime()) break;
    if (done % 20 === 0 && long) logResult(`${done} kills so far.`);
  }

  async function killAfter(milliseconds: number): Promise<void> {
    if ((done + 1) % killsToReversal === 0) {
      // Waits for the reversal now, before the load queues too many jobs ahead of it.
      if (await untilReversal(database.pool, desk)) inReversals += 1;
    } else {
      const before = log.payments;
      while (log.payments === before) await wait(20);
      for (const until = Date.now() + milliseconds; Date.now() < until; await wait(100))
        await hurrySettlements(database.pool);
    }
    await program?.kill();
    await unlockJobs(database.pool);
    if (!signal.aborted) program = await startProgram(home);
  }

  const { lost, doubled, charged } = countViolations(broken);
  const { holds, payments, refunds, disputes, unreachable } = log;
  logResult(
    `${done} kills: ${holds} bookings, ${payments} payments, ${refunds} refunds acknowledged; ${disputes} disputes decided; ${unreachable} requests got no response; ${lost} lost, ${doubled} doubled, ${charged} charged without goods or refund.`,
  );
  logResult(`${await countSettlements(database.pool)}.`);
  expect(broken).toEqual([]);
  if (!long) return;
  const reversals = await countReversals(database.pool);
  logResult(`${inReversals} kills while the provider was asked for a reversal.`);
  expect(reversals).toBeGreaterThanOrEqual(Math.floor(done / 10));
  expect(inReversals).toBeGreaterThanOrEqual(Math.floor(done / killsToReversal / 2));
});
