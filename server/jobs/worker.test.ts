import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { parseCrontab } from "graphile-worker";
import type pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { lockUser } from "../adapters/identity/account-store.ts";
import { allJobs } from "../all-jobs.ts";
import { type Tx, transact } from "../db/database.ts";
import { openMovingAddress } from "../testing/moving-address.ts";
import { member } from "../testing/people.ts";
import { openShop } from "../testing/shop.ts";
import { enqueue, forwardJobs } from "./job-queue.ts";
import { freeLostJobs } from "./job-runner.ts";
import { crontabOf, startWorker } from "./worker.ts";

const shop = await openShop();
afterAll(() => shop.close());

test("a hanging SMTP server delays emails but not refunds", async () => {
  const silent = createServer();
  const greeted: Socket[] = [];
  silent.on("connection", (socket) => greeted.push(socket));
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const { port } = silent.address() as AddressInfo;
  const SMTP_URL = `smtp://127.0.0.1:${port}`;
  const waiting = await openShop({ worker: true, env: { SMTP_URL, MAIL_FROM: "a@example.com" } });
  const { deps, pool } = waiting;
  const email = { to: "ada@example.com", subject: "Hello", text: "Hello", html: "Hello" };
  await transact(deps.db, "test", async (tx) => {
    for (let left = 0; left < 8; left += 1) await enqueue(tx, "sendMail", { payload: email });
  });
  await expect.poll(() => greeted.length).toBe(1);
  await wait(200);
  await enqueue(deps.db, "refundPayment", { payload: { paymentId: randomUUID() } });
  const jobs = async () => {
    const { rows } = await pool.query(
      `select task_identifier, last_error from graphile_worker.jobs
       union all select task, null from job_outbox`,
    );
    return rows;
  };
  const refunds = async () => (await jobs()).filter((job) => job.task_identifier !== "sendMail");
  await expect.poll(refunds).toEqual([]);
  // The refund ran before the first email timed out.
  expect(await jobs()).toEqual(Array(8).fill({ task_identifier: "sendMail", last_error: null }));
  expect(greeted).toHaveLength(1);
  silent.close();
  for (const socket of greeted) socket.destroy();
  await waiting.close();
});

test("the worker stops only after its running jobs have ended, including jobs from a runner that gave up", async () => {
  const { pool, deps, app } = shop;
  const { email } = await member(shop);
  const unlock = await holdUserLock(deps.db, email);
  await pool.query(unwritable);
  const worker = await startWorker(deps, pool, { jobs: allJobs, log: app.log });
  const leave = (to: string) => enqueue(deps.db, "offerPasswordReset", { payload: { email: to } });
  await leave(email);
  await expect.poll(() => attempts(pool, email)).toBe(1);
  await leave("unwritable");
  await expect.poll(() => attempts(pool, "unwritable")).toBe(1);
  await wait(200);
  const order: string[] = [];
  const stopped = worker.stop().then(() => order.push("stopped"));
  await wait(700);
  order.push("job goes on");
  await unlock();
  await stopped;
  expect(order).toEqual(["job goes on", "stopped"]);
  await pool.query("drop function refuse cascade; delete from graphile_worker._private_jobs");
});

test("the worker stops after a time limit even if a job hangs", async () => {
  const hanging = await openShop();
  const { pool, deps, app } = hanging;
  const { email } = await member(hanging);
  const unlock = await holdUserLock(deps.db, email);
  const worker = await startWorker(deps, pool, {
    jobs: allJobs,
    log: app.log,
    timeoutMs: 500,
  });
  await enqueue(deps.db, "offerPasswordReset", { payload: { email } });
  await expect.poll(() => attempts(pool, email)).toBe(1);
  await worker.stop();
  // The job still waits for the lock.
  expect(await attempts(pool, email)).toBe(1);
  await unlock();
  await hanging.close();
});

test("a crashed process's jobs are unlocked after a minute, but running jobs stay locked", async () => {
  const { pool, deps } = shop;
  const lockedFor = {
    dead: 70,
    "just died": 50,
    running: 700,
    unknown: 50,
    "unknown for long": 70,
  };
  for (const email of Object.keys(lockedFor))
    await enqueue(deps.db, "offerPasswordReset", { payload: { email } });
  await forwardJobs(deps.db);
  await pool.query(
    `update graphile_worker._private_jobs set locked_by = payload ->> 'email',
      locked_at = now() - make_interval(secs => ($1::jsonb ->> (payload ->> 'email'))::integer)`,
    [JSON.stringify(lockedFor)],
  );
  await pool.query(`
    insert into job_runners values ('dead', now() - interval '70 seconds'),
      ('just died', now() - interval '70 seconds'), ('running', now() - interval '50 seconds')`);
  await freeLostJobs(deps.db);
  const { rows } = await pool.query(
    "select payload ->> 'email' as email from graphile_worker._private_jobs where locked_by is null",
  );
  expect(rows.map(({ email }) => email).sort()).toEqual(["dead", "unknown for long"]);
  await pool.query("delete from graphile_worker._private_jobs; delete from job_runners");
});

test("a job runner's record has the same id as the runner's job locks, and is in a logged table, which survives a crash or failover", async () => {
  const { pool, deps, app } = shop;
  const { email } = await member(shop);
  const unlock = await holdUserLock(deps.db, email);
  const worker = await startWorker(deps, pool, { jobs: allJobs, log: app.log });
  await enqueue(deps.db, "offerPasswordReset", { payload: { email } });
  const lockedByRecorded = async () => {
    const { rows } = await pool.query(
      "select from graphile_worker.jobs join job_runners on job_runners.id = locked_by",
    );
    return rows.length;
  };
  await expect.poll(lockedByRecorded).toBe(1);
  const { rows } = await pool.query(
    "select relpersistence as kind from pg_class where relname = 'job_runners'",
  );
  expect(rows).toEqual([{ kind: "p" }]);
  await unlock();
  await worker.stop();
});

test("a job runner that locks a job but loses the response is replaced, and the job is unlocked", async () => {
  const { pool, deps, app, databaseUrl } = shop;
  const { email } = await member(shop);
  const unlock = await holdUserLock(deps.db, email);
  await pool.query("delete from job_runners");
  const url = new URL(databaseUrl);
  const address = await openMovingAddress(Number(url.port));
  address.loseAnswer("unheard");
  url.port = String(address.port);
  const config = { ...deps.config, databaseDirectUrl: url.href };
  const worker = await startWorker({ ...deps, config }, pool, {
    jobs: allJobs,
    log: app.log,
    cron: false,
  });
  onTestFinished(async () => {
    await unlock();
    await worker.stop();
    address.close();
    await pool.query("delete from graphile_worker._private_jobs");
  });
  const leave = (to: string) => enqueue(deps.db, "offerPasswordReset", { payload: { email: to } });
  const lockedBy = async (to: string) => {
    const { rows } = await pool.query(
      "select locked_by from graphile_worker._private_jobs where payload ->> 'email' = $1",
      [to],
    );
    return rows[0]?.locked_by;
  };
  const runners = async () => (await pool.query("select from job_runners")).rowCount ?? 0;
  await expect.poll(runners).toBe(3);
  await leave("unheard");
  await expect.poll(() => address.isLosing).toBe(false);
  const lost = await lockedBy("unheard");
  expect(lost).toEqual(expect.any(String));
  // A fourth record means that a new runner has replaced the runner that lost the job.
  await expect.poll(runners).toBe(4);
  await leave(email);
  await expect.poll(() => lockedBy(email)).toEqual(expect.any(String));
  expect(await lockedBy(email)).not.toBe(lost);
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '61 seconds'
      where locked_by = $1`,
    [lost],
  );
  await pool.query("update job_runners set seen_at = now() - interval '61 seconds' where id = $1", [
    lost,
  ]);
  await freeLostJobs(deps.db);
  await expect.poll(() => attempts(pool, "unheard")).toBeUndefined();
});

test("a job runner that can't store a job's result is replaced, and the runner's other jobs still end", async () => {
  const busy = await openShop({ worker: true });
  const { pool, deps } = busy;
  const leave = (email: string) => enqueue(deps.db, "offerPasswordReset", { payload: { email } });
  await pool.query(unwritable);
  // Three slow jobs and the unwritable job: up to four jobs run concurrently.
  const members = await Promise.all([1, 2, 3].map(() => member(busy)));
  const slow = members.map(({ email }) => email);
  const locks = await Promise.all(slow.map((email) => holdUserLock(deps.db, email)));
  for (const email of [...slow, "unwritable"]) {
    await leave(email);
    await expect.poll(() => attempts(pool, email)).toBe(1);
  }
  await wait(200);
  for (const [index, email] of slow.entries()) {
    await locks[index]?.();
    await expect.poll(() => attempts(pool, email)).toBeUndefined();
  }
  await leave("afterwards");
  await expect.poll(() => attempts(pool, "afterwards")).toBeUndefined();
  await busy.close();
});

const unwritable = `
  create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
  create trigger refuse before delete on graphile_worker._private_jobs for each row
    when (old.payload ->> 'email' = 'unwritable') execute function refuse()`;

/** Returns undefined after the job is done. */
async function attempts(pool: pg.Pool, email: string): Promise<number | undefined> {
  const ofJob = "select attempts from graphile_worker._private_jobs where payload ->> 'email' = $1";
  return (await pool.query(ofJob, [email])).rows[0]?.attempts;
}

/** Locks the user's row, so that the user's jobs wait. Returns a function that unlocks the row. */
async function holdUserLock(db: Tx, email: string): Promise<() => Promise<unknown>> {
  const tx = await db.startTransaction().execute();
  await lockUser(tx, email);
  return () => tx.commit().execute();
}

test("settleDeals and reconcile, which call the card provider, have a lower priority than cleanUp", () => {
  const items = parseCrontab(crontabOf(allJobs));
  const priorities = Object.fromEntries(items.map(({ task, options }) => [task, options.priority]));
  expect(priorities).toMatchObject({ settleDeals: 10, reconcile: 10, cleanUp: 0 });
});
