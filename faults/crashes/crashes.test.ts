import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#server/db/database.ts";
import { createTestDatabase } from "#server/testing/create-test-database.ts";
import { openTestDatabase } from "#server/testing/test-connections.ts";
import { newCallLog } from "../load/acknowledged-calls.ts";
import { createLoadClients } from "../load/load-clients.ts";
import { findHome, type Program, startProgram } from "../load/program.ts";
import { countViolations, unlockJobs, violationsWhenIdle } from "../load/quiesce.ts";
import {
  countReversals,
  countSettlements,
  hurrySettlements,
  untilReversal,
} from "../load/settle-load.ts";
import { logResult, runOptions, timeBudget } from "../run-options.ts";

const { seed, long } = runOptions();
const kills = long ? 200 : 2;
const killsToReversal = long ? 5 : Number.POSITIVE_INFINITY;

let dataDir: string;
let database: Database;
let program: Program | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secondlap-crashes-"));
});
afterAll(async () => {
  await program?.stop();
  await database?.pool.end();
  await rm(dataDir, { recursive: true, force: true });
});

test(`a server killed ${kills} times under load loses nothing, sells nothing twice and charges no one wrongly`, {
  timeout: kills * 900_000,
}, async ({ signal }) => {
  const databaseUrl = await createTestDatabase("crashes");
  database = openTestDatabase(databaseUrl, 4);
  const home = await findHome(databaseUrl, dataDir);
  const log = newCallLog();
  const { url, desk } = home;
  const options = { url, desk, db: database.db, log, seed, refunds: true };
  const clients = await createLoadClients(options, 8);

  program = await startProgram(home);
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
      // A slow machine may not have made a payment yet.
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
