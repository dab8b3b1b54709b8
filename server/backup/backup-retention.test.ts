import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { readHealth } from "#contract/health.ts";
import { readCommand } from "../cli/backup.ts";
import { temporaryFolder } from "../testing/backups.ts";
import { shopTest } from "../testing/fixtures.ts";
import { listing } from "../testing/marketplace.ts";
import { shopMetricOf } from "../testing/metrics.ts";
import { killPrograms, run, waitForExit } from "../testing/program.ts";
import type { Shop } from "../testing/shop.ts";
import { backUpAndKeep, untilNextBackup } from "./backup.ts";

const test = shopTest();
test.afterAll(() => killPrograms());

const source = ({ databaseUrl: url, deps }: Shop) => ({ url, dataDir: deps.config.dataDir });
const age = (shop: Shop) => shopMetricOf(shop, "secondlap_backup_age_seconds");

/** The settings include no service keys, like those in `deploy/`. */
function backUpBy(shop: Shop, args: string[]) {
  const { url: DATABASE_URL, dataDir: DATA_DIR } = source(shop);
  const env = { NODE_ENV: "production", HOST: "0.0.0.0", DATABASE_URL, DATA_DIR };
  return run(env, ["server/cli/backup.ts", "backup", ...args]);
}

test("a new backup deletes interrupted backups in its folder, and keeps only the newest finished backups", async ({
  shop,
}) => {
  const folder = join(await temporaryFolder(), "backups");
  await mkdir(join(folder, "2026-11-20T03-00-00Z"), { recursive: true });
  await mkdir(join(folder, "of another program"));
  for (const day of [21, 22, 23])
    await backUpAndKeep(source(shop), {
      folder,
      keep: 2,
      now: new Date(`2026-11-${day}T03:00:00.5Z`),
    });
  const kept = ["2026-11-22T03-00-00Z", "2026-11-23T03-00-00Z", "of another program"];
  expect((await readdir(folder)).toSorted()).toEqual(kept);
  const next = { folder, hours: 24, now: new Date("2026-11-24T02:00:00Z") };
  expect(await untilNextBackup(next)).toBe(3_600_000);
  expect(await untilNextBackup({ ...next, hours: 1 })).toBe(0);
  expect(await untilNextBackup({ ...next, folder: join(folder, "none") })).toBe(0);
});

test("a running backup is not mistaken for an interrupted backup", async ({ shop }) => {
  const folder = join(await temporaryFolder(), "backups");
  const tables = await shop.pool.connect();
  await tables.query("begin; lock table products in access exclusive mode");
  const { child, said } = backUpBy(shop, [folder, "--keep", "2"]);
  const ended = once(child, "exit");
  await expect.poll(() => readdir(folder).catch(() => [])).toHaveLength(1);
  child.kill("SIGSTOP");
  await tables.query("commit");
  tables.release();
  const [slow] = await readdir(folder);
  await backUpAndKeep(source(shop), { folder, keep: 1, now: new Date("2099-11-21T03:00:00Z") });
  expect((await readdir(folder)).toSorted()).toEqual([slow, "2099-11-21T03-00-00Z"]);
  child.kill("SIGCONT");
  expect([(await ended)[0], said.text]).toEqual([0, expect.stringMatching(/^Backed up/)]);
  expect(await readdir(join(folder, slow ?? ""))).toContain("about.json");
});

test("a failed backup deletes no older backup", async ({ shop }) => {
  const folder = await temporaryFolder();
  const first = { folder, keep: 1, now: new Date("2026-11-21T03:00:00Z") };
  await backUpAndKeep(source(shop), first);
  const url = new URL(shop.databaseUrl);
  url.pathname = "/none";
  const failing = { ...source(shop), url: url.href };
  await expect(backUpAndKeep(failing, { ...first, now: new Date() })).rejects.toThrow("none");
  expect(await readdir(folder)).toEqual(["2026-11-21T03-00-00Z"]);
});

test("with --every, the backup command makes a backup if the newest one is too old, and needs no service keys", async ({
  shop,
  seller,
}) => {
  await listing(seller);
  const folder = await temporaryFolder();
  const old = join(folder, "2026-11-20T03-00-00Z");
  await mkdir(old);
  await writeFile(join(old, "about.json"), "{}");
  const { child, said } = backUpBy(shop, [folder, "--keep", "1", "--every", "24"]);
  await expect.poll(() => said.text).toMatch(/^Backed up \d+ rows of \d+ tables/);
  child.kill("SIGTERM");
  const [only, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect(only).not.toBe("2026-11-20T03-00-00Z");
});

test("the backup command shows its usage if an argument is invalid or missing", async ({
  shop,
}) => {
  const usage = "npm run backup -- FOLDER [--keep N [--every HOURS]]";
  for (const more of [
    ["--every", "24"],
    ["--keep", "none"],
    ["--keep", "1", "--every", "720"],
  ])
    expect(() => readCommand(["backup", "a", ...more])).toThrow(usage);
  const { code, said } = await waitForExit(backUpBy(shop, []));
  expect([code, said]).toEqual([1, expect.stringContaining(usage)]);
});

test("the Health page and metrics show the last good backup's age", async ({ shop, admin }) => {
  const { pool, clock } = shop;
  await pool.query("update backup_status set backed_up_at = null");
  // Without a backup, the age counts from the installation, whose time has microseconds.
  const installed = "select extract(epoch from min(applied_at))::float8 as seconds from migrations";
  const [first] = (await pool.query<{ seconds: number }>(installed)).rows;
  clock.advance(31 * 60);
  const sinceInstalled = clock.now().getTime() / 1_000 - (first?.seconds ?? 0);
  expect(await age(shop)).toBeCloseTo(sinceInstalled, 2);
  const never = await admin.call(readHealth, {});
  expect(never.shop.backedUpHoursAgo).toBeNull();
  expect(never.problems).toContain("backupLate");

  const folder = await temporaryFolder();
  await backUpAndKeep(source(shop), { folder, keep: 1, now: clock.now() });
  clock.advance(-31 * 60);
  expect(await age(shop)).toBeLessThan(3_600);
  // A node reads the backup's age at most every five seconds.
  const health = () => admin.call(readHealth, {});
  await expect.poll(async () => (await health()).problems).not.toContain("backupLate");
  expect((await health()).shop.backedUpHoursAgo).toBeLessThan(1);
});
