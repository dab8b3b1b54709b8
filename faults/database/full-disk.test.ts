import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, signUpAt } from "#server/testing/browser.ts";
import { freePort } from "#server/testing/free-port.ts";
import { callsOver, photo, uploadPhoto } from "#server/testing/marketplace.ts";
import { valueIn } from "#server/testing/metrics.ts";
import {
  freePorts,
  killPrograms,
  run,
  waitForExit,
  waitForReady,
} from "#server/testing/program.ts";
import { openTestDatabase } from "#server/testing/test-connections.ts";
import { type Cluster, openCluster } from "./postgres-cluster.ts";
import { mountSmallDisk } from "./small-disk.ts";

const disk = await mountSmallDisk(512);
let cluster: Cluster;
let env: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster(disk?.path ?? "", { min_wal_size: "32MB", max_wal_size: "64MB" });
  env = {
    ...(await freePorts()),
    DATA_DIR: disk?.path ?? "",
    DATABASE_URL: cluster.url,
    METRICS_PORT: String(await freePort()),
  };
});
afterAll(async () => {
  killPrograms();
  await cluster?.stop();
  await disk?.remove();
});

const password = "Secret#2026";
const walFileBytes = 16 * 1024 * 1024;

/** Also fills the free space in PostgreSQL's own pages and files. */
async function fillDisk(): Promise<void> {
  const { pool } = openTestDatabase(cluster.url, 1);
  await pool.query("create unlogged table filler (bytes text)");
  // PostgreSQL crashes if it needs a new WAL file before the shop has released its reserve.
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
  await pool.end();
}

function requireFull(error: { code: string }): boolean {
  if (error.code === "53100") return true;
  throw error;
}

test.runIf(disk)(
  "with a full disk, admins can log in, uploads fail with DISK_FULL, and metrics and doctor report the full disk",
  async () => {
    const program = run(env);
    await waitForReady(program);
    const url = `http://127.0.0.1:${env.PORT}`;
    const seller = callsOver(await signUpAt(url, "seller@example.com", "seller"));
    await signUpAt(url, "admin@example.com", "buyer");
    await waitForExit(run(env, ["server/cli/admin.ts", "grant", "admin@example.com"]));
    expect((await uploadPhoto(seller, await photo())).status).toBe(200);
    await fillDisk();
    const logIn = async () => {
      const typed = { email: "admin@example.com", password };
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
    const metrics = await (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).text();
    const free = valueIn(metrics, "secondlap_disk_free_bytes") ?? 1;
    expect(free / (valueIn(metrics, "secondlap_disk_bytes") ?? 0)).toBeLessThan(0.1);
    expect(valueIn(metrics, "secondlap_disk_full_errors_total")).toBeGreaterThan(0);
    const doctor = await waitForExit(run(env, ["server/cli/doctor.ts"]));
    expect(doctor.said).toMatch(/Disk .*failed: only \d+ MB of 512 MB are free/);
    await disk?.empty();
    const upload = async () => (await uploadPhoto(seller, await photo({ width: 820 }))).status;
    await expect.poll(upload).toBe(200);
  },
);
