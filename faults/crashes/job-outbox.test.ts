import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#server/db/database.ts";
import { createTestDatabase } from "#server/testing/create-test-database.ts";
import { insertProduct } from "#server/testing/insert-product.ts";
import { orderFor } from "#server/testing/marketplace.ts";
import { openTestDatabase } from "#server/testing/test-connections.ts";
import { newCallLog } from "../load/acknowledged-calls.ts";
import { createSignedInMember } from "../load/load-clients.ts";
import { findHome, type Home, type Program, startProgram } from "../load/program.ts";
import { requestWithRetries } from "../load/retrying-client.ts";

/** Enqueued at each start and each minute. */
const ofEveryStart = "('reconcile', 'indexListings', 'refreshVocabulary')";

let dataDir: string;
let database: Database;
let home: Home;
let program: Program | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secondlap-outbox-"));
  const databaseUrl = await createTestDatabase("outbox");
  database = openTestDatabase(databaseUrl, 4);
  home = await findHome(databaseUrl, dataDir);
});
afterAll(async () => {
  await program?.stop();
  await database?.pool.end();
  await rm(dataDir, { recursive: true, force: true });
});

test("buyer and seller each get one email, even if the server is killed before a committed booking's jobs are forwarded", async () => {
  const { db, pool } = database;
  const [seller, buyer] = [
    await createSignedInMember(db, "seller"),
    await createSignedInMember(db, "buyer"),
  ];
  const product = await insertProduct(db, new Date(), { seller_id: seller.id });
  program = await startProgram(home);

  const blocker = await pool.connect();
  await blocker.query("begin; lock table graphile_worker._private_jobs in exclusive mode");
  const { token } = buyer;
  const context = { url: home.url, token, log: newCallLog() };
  const held = await requestWithRetries(context, "POST /bookingProducts", orderFor(product));
  expect(held.status).toBe(201);
  await program.kill();
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
