import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#server/db/database.ts";
import { openBrowser, signUpAt } from "#server/testing/browser.ts";
import { freePort } from "#server/testing/free-port.ts";
import { callsOver, photo, uploadPhoto } from "#server/testing/marketplace.ts";
import { valueIn } from "#server/testing/metrics.ts";
import { run, waitForExit } from "#server/testing/program.ts";
import { type CallLog, newCallLog } from "../load/acknowledged-calls.ts";
import { createLoadClients, type LoadClients } from "../load/load-clients.ts";
import { findHome, type Home, type Program, startProgram } from "../load/program.ts";
import { countViolations, violationsWhenIdle } from "../load/quiesce.ts";
import { logResult, runOptions, timeBudget } from "../run-options.ts";
import { type Cluster, openCluster } from "./postgres-cluster.ts";
import { mountSmallDisk } from "./small-disk.ts";

const { seed, long } = runOptions();
const disk = await mountSmallDisk(512);
if (!disk) logResult("The tests of the full disk are left out: mounting a tmpfs needs root.");
/** Keeps the write-ahead log small enough for the small disk. */
const settings = { min_wal_size: "32MB", max_wal_size: "64MB" };

let dataDir: string;
let cluster: Cluster;
let program: Program;
let database: Database;
let home: Home;
let clients: LoadClients;
let log: CallLog;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secondlap-database-"));
  cluster = await openCluster(disk?.path ?? dataDir, settings);
  home = await findHome(cluster.url, dataDir);
  program = await startProgram(home);
  database = openDatabase(`${cluster.url}?application_name=test`, { connections: 4 });
  const { url, desk } = home;
  log = newCallLog();
  await desk.injectFaults({ webhook: { hold: true } });
  clients = await createLoadClients({ url, desk, db: database.db, log, seed, refunds: false }, 8);
});
afterAll(async () => {
  await program?.stop();
  await database?.pool.end();
  await cluster?.stop();
  await disk?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

async function broken(): Promise<string[]> {
  const unanswered = log.unreachable === 0 ? [] : ["The program was not there."];
  return [
    ...(await violationsWhenIdle({ pool: database.pool, desk: home.desk, log })),
    ...unanswered,
  ];
}

/** Times ten writes. Returns how long recovery may take on this machine, in milliseconds. */
async function measureMaxPause(): Promise<number> {
  const [from, before] = [Date.now(), log.acknowledged.length];
  while (log.acknowledged.length < before + 10) await wait(5);
  return 5_000 + 10 * (Date.now() - from);
}

async function untilNextWrite(): Promise<number> {
  const from = Date.now();
  while (log.lastWrite < from) await wait(5);
  return log.lastWrite - from;
}

test("during a database restart under load, failed requests get 503 with Retry-After, and nothing is lost", async ({
  signal,
}) => {
  const pauses: number[] = [];
  const hasTime = timeBudget(signal);
  for (let restarts = 0; restarts < (long ? 20 : 1) && hasTime(); restarts += 1) {
    await clients.runLoad(async () => {
      const maxPause = await measureMaxPause();
      await cluster.control("restart", "-m", "immediate");
      pauses.push(await untilNextWrite());
      expect(pauses.at(-1)).toBeLessThan(maxPause);
      await wait(200);
    });
  }
  const found = await broken();
  const { holds, payments, unavailable } = log;
  logResult(
    `${pauses.length} restarts of the database: ${holds} bookings, ${payments} payments acknowledged, ${countViolations(found).lost} lost; ${unavailable} requests got 503; serving again after ${pauses.join(", ")} ms.`,
  );
  expect(found).toEqual([]);
});

test("terminating database connections under load loses nothing", async ({ signal }) => {
  let ended = 0;
  await clients.runLoad(async () => {
    const hasTime = timeBudget(signal);
    for (let times = 0; times < (long ? 60 : 3) && hasTime(); times += 1) {
      await wait(250);
      ended += await cluster.terminate("secondlap");
    }
  });
  const found = await broken();
  logResult(`${ended} connections ended under load: ${countViolations(found).lost} lost.`);
  expect(found).toEqual([]);
  expect(ended).toBeGreaterThan(0);
});

test("after the server loses its connection for reading changes, a new laptop still appears in its category", async ({
  signal,
}) => {
  const category = await database.db
    .selectFrom("categories")
    .select("id")
    .orderBy("position")
    .executeTakeFirstOrThrow();
  const listed = async (product: string) =>
    (await (await fetch(`${home.url}/api/categoryProducts/${category.id}`)).text()).includes(
      product,
    );
  const hasTime = timeBudget(signal);
  for (let times = 0; times < (long ? 200 : 2) && hasTime(); times += 1) {
    await listed("none");
    await cluster.terminate("secondlap changes");
    // Writes directly to the database, as another node would.
    const product = await clients.listLaptop();
    await expect.poll(() => listed(product), { interval: 20 }).toBe(true);
  }
  await expect.poll(() => cluster.connections("secondlap changes")).toBe(1);
});

test("after a job ends while the database is down, the server becomes ready and runs jobs again", async () => {
  await home.desk.injectFaults({ delayMs: 1_000 });
  const leaveJob = (name: string) =>
    database.pool.query(
      "select graphile_worker.add_job('settleIntent', json_build_object('intentId', $1::text), job_key => $1)",
      [name],
    );
  await leaveJob("before");
  const running = "select from graphile_worker.jobs where key = 'before' and locked_at is not null";
  await expect.poll(async () => (await database.pool.query(running)).rowCount).toBe(1);
  await cluster.control("stop", "-m", "immediate");
  await wait(1_500);
  await cluster.start();
  const isReady = () => fetch(`${home.url}/readyz`).then(({ ok }) => ok);
  await expect.poll(isReady).toBe(true);
  await home.desk.injectFaults({});
  await leaveJob("after");
  const left = "select from graphile_worker.jobs where key = 'after'";
  await expect.poll(async () => (await database.pool.query(left)).rowCount).toBe(0);
});

test.runIf(disk)(
  "a full disk under load loses nothing, and writes resume when there is space again",
  async () => {
    const before = { ...log };
    let pause = 0;
    await clients.runLoad(async () => {
      const maxPause = await measureMaxPause();
      await disk?.fill();
      while (log.unavailable === before.unavailable) await wait(20);
      await wait(1_000);
      await disk?.empty();
      await cluster.control("status").catch(() => cluster.start());
      pause = await untilNextWrite();
      expect(pause).toBeLessThan(maxPause);
    });
    const found = await broken();
    const unavailable = log.unavailable - before.unavailable;
    logResult(
      `The disk full under load: ${log.holds - before.holds} bookings, ${log.payments - before.payments} payments acknowledged, ${countViolations(found).lost} lost; ${unavailable} requests got 503; serving again after ${pause} ms.`,
    );
    expect(found).toEqual([]);
  },
);

const walFileBytes = 16 * 1024 * 1024;

/** Fills the disk, and the free space in PostgreSQL's own pages and files. */
async function fillDisk(): Promise<void> {
  const { pool } = database;
  await pool.query("create unlogged table filler (bytes text)");
  // Starts a new WAL file. PostgreSQL crashes if it needs one before the shop frees its reserve.
  for (let used = walFileBytes; used > walFileBytes / 8; ) {
    await pool.query("select pg_logical_emit_message(true, '', repeat('x', 1000000))");
    const { rows } = await pool.query("select pg_current_wal_lsn() - '0/0' as written");
    used = Number(rows[0].written) % walFileBytes;
  }
  await disk?.fill();
  for (let isFull = false; !isFull; )
    await pool
      .query(
        "insert into filler select string_agg(md5(random()::text), '') from generate_series(1, 20000)",
      )
      .catch((error) => {
        isFull = requireFull(error);
      });
}

function requireFull(error: { code: string }): boolean {
  if (error.code === "53100") return true;
  throw error;
}

test.runIf(disk)(
  "with a full disk, admins can log in, uploads fail with DISK_FULL, and metrics and doctor report the full disk",
  async () => {
    const { url, port, sandboxPort } = home;
    const metricsPort = await freePort();
    await program.stop();
    // The shop keeps its reserve of space, and its photos, on the full disk.
    const onDisk = { ...home, dataDir: disk?.path ?? "" };
    program = await startProgram(onDisk, { METRICS_PORT: String(metricsPort) });
    const seller = callsOver(await signUpAt(url, "seller@example.com", "seller"));
    const email = "admin@example.com";
    await signUpAt(url, email, "buyer");
    const { db } = database;
    const owner = { staff_role: "owner" } as const;
    await db.updateTable("members").set(owner).where("email", "=", email).execute();
    expect((await uploadPhoto(seller, await photo())).status).toBe(200);
    await fillDisk();
    const logIn = async () => {
      const typed = { email, password: "Secret#2026" };
      return (await openBrowser(url).post("/sign-in/email", typed)).status;
    };
    // More sessions than fit into the existing pages of the session table.
    for (let logins = 0; logins < 100; logins++) await expect.poll(logIn).toBe(200);
    const refused = await uploadPhoto(seller, await photo({ width: 810 }));
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      code: "DISK_FULL",
      message: "Our disk is full, so we can't save anything right now. Please try again later.",
    });
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const free = valueIn(metrics, "secondlap_disk_free_bytes") ?? 1;
    expect(free / (valueIn(metrics, "secondlap_disk_bytes") ?? 0)).toBeLessThan(0.1);
    expect(valueIn(metrics, "secondlap_disk_full_errors_total")).toBeGreaterThan(0);
    const env = {
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: onDisk.dataDir,
      DATABASE_URL: cluster.url,
    };
    const doctor = await waitForExit(run(env, ["server/cli/doctor.ts"]));
    expect(doctor.said).toMatch(/Disk .*failed: only \d+ MB of 512 MB are free/);
    await disk?.empty();
    const upload = async () => (await uploadPhoto(seller, await photo({ width: 820 }))).status;
    await expect.poll(upload).toBe(200);
  },
);
