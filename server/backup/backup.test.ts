import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { findSessions, findVerifications } from "../adapters/identity/testing.ts";
import { offerPasswordReset } from "../features/identity/identity-hooks.ts";
import { allRows, backedUpRows, backedUpTables, notBackedUp } from "../testing/backups.ts";
import { createTestDatabase } from "../testing/create-test-database.ts";
import { shopTest } from "../testing/fixtures.ts";
import { bookLaptop, listing, newPhoto } from "../testing/marketplace.ts";
import { member } from "../testing/people.ts";
import { freePorts, killPrograms, run, waitForExit } from "../testing/program.ts";
import type { Shop } from "../testing/shop.ts";
import { openTestDatabase } from "../testing/test-connections.ts";
import { version } from "../version.ts";
import { type About, backUp } from "./backup.ts";
import { restore } from "./restore.ts";
import { beginSession, hashTables, withClient } from "./tables.ts";

const test = shopTest().extend("folder", { scope: "file" }, () =>
  mkdtemp(join(tmpdir(), "secondlap backup ")),
);

/** A backup that several tests restore. */
let whole: string;

test.beforeAll(async ({ shop, seller, folder }) => {
  for (let index = 0; index < 3; index += 1) {
    const product = await listing(seller, {
      description: "Quotes ' \" \\, tabs \t, lines \n, \u2028, 漢字 and 🦊.",
    });
    await bookLaptop(await member(shop), product);
  }
  whole = join(folder, "whole");
  await backUp(source(shop), whole);
});

test.afterAll(async ({ folder }) => {
  killPrograms();
  await rm(folder, { recursive: true, force: true });
});

async function emptyShop(folder: string) {
  return {
    url: await createTestDatabase("restored"),
    dataDir: await mkdtemp(join(folder, "restored-")),
  };
}

const source = (shop: Shop) => ({ url: shop.databaseUrl, dataDir: shop.deps.config.dataDir });

async function hashesAt(url: string): Promise<Record<string, string>> {
  const { pool } = openTestDatabase(url, 1);
  const client = await pool.connect();
  await beginSession(client);
  const hashes = await hashTables(client);
  client.release(true);
  await pool.end();
  return hashes;
}

test("a backup of a busy shop is a consistent snapshot that includes images", async ({
  shop,
  seller,
  folder,
}) => {
  const into = join(folder, "while-running");
  let writing = true;
  const writer = (async () => {
    while (writing) await listing(seller, { img: await newPhoto(seller) });
  })();
  const hashes = await backUp(source(shop), into);
  writing = false;
  await writer;
  const target = await emptyShop(folder);
  expect(await restore(target, into)).toEqual(hashes);
  expect(await hashesAt(target.url)).toEqual(hashes);
  const { pool } = openTestDatabase(target.url, 1);
  const { rows } = await pool.query<{ img: string }>("select img from products");
  await pool.query(
    "insert into audit_log (at, verb, object, object_id) values (now(), 'test', 'product', gen_random_uuid())",
  );
  await pool.end();
  expect(rows.length).toBeGreaterThanOrEqual(3);
  for (const { img } of rows) {
    const name = img.replace("/images/", "");
    expect(
      (await readFile(join(target.dataDir, "images", name.slice(0, 2), name))).length,
    ).toBeGreaterThan(0);
  }
});

test("a backup never overwrites a folder, and a restore needs an empty shop and a backup with the same migrations", async ({
  shop,
  folder,
}) => {
  await expect(backUp(source(shop), folder)).rejects.toThrow("exists already");
  await expect(restore(source(shop), whole)).rejects.toThrow("This shop has members already");

  const target = await emptyShop(folder);
  const images = join(target.dataDir, "images");
  await mkdir(images);
  await writeFile(join(images, "a.jpg"), "a photo");
  await expect(restore(target, whole)).rejects.toThrow("has photos already");
  expect(await allRows(target.url)).toEqual(await rowsOfEmptyShop({ restoring: false }));
  await rm(images, { recursive: true });

  await expect(restore(target, join(folder, "mistyped"))).rejects.toThrow("contains no backup");
  expect(await allRows(target.url)).toEqual(await rowsOfEmptyShop({ restoring: true }));
  const older = await changedBackup(folder, () => ({
    program: "0.0.9",
    migrations: ["0001-identity.sql"],
  }));
  await expect(restore(target, older)).rejects.toThrow(
    `Secondlap 0.0.9 (0001-identity.sql) made this backup, and this is Secondlap ${version}`,
  );
});

test("a restored shop has the same rows, triggers and constraints, even if a row refers to a row that comes thousands of rows later", async ({
  shop,
  folder,
}) => {
  const { pool } = shop;
  const admin = await member(shop, { isAdmin: true });
  await pool.query(
    `insert into members (id, name, email, account_type, created_at, verify, verified_by)
      select gen_random_uuid(), 'M', n || '@example.com', 'seller', now(), true, $1
      from generate_series(1, 2500) n`,
    [admin.id],
  );
  // Moves the admin's row after the members' rows.
  await pool.query("update members set name = 'Later' where id = $1", [admin.id]);
  // JSON null must not become SQL null.
  await pool.query(
    `insert into idempotency_requests (id, caller, key, fingerprint, created_at, body)
      values (gen_random_uuid(), 'a', 'b', 'c', now(), 'null')`,
  );
  const into = join(folder, "members");
  await backUp(source(shop), into);
  const target = await emptyShop(folder);
  await restore(target, into);
  expect(await backedUpRows(target.url)).toEqual(await backedUpRows(shop.databaseUrl));
  expect(await hashesAt(target.url)).toEqual(await hashesAt(shop.databaseUrl));
  expect(await rulesOf(target.url)).toEqual(await rulesOf(shop.databaseUrl));
});

/** Copies `whole` with another `about.json`. Returns the copy's folder. */
async function changedBackup(folder: string, change: (about: About) => Partial<About>) {
  const into = await mkdtemp(join(folder, "changed-"));
  await cp(whole, into, { recursive: true });
  const file = join(into, "about.json");
  const about = JSON.parse(await readFile(file, "utf8")) as About;
  await writeFile(file, JSON.stringify({ ...about, ...change(about) }));
  return into;
}

test("after a failed restore, the shop is empty and does not start, and the restore can be rerun", async ({
  folder,
}) => {
  const tampered = await changedBackup(folder, ({ hashes }) => ({
    hashes: { ...hashes, "public.products": "1 x" },
  }));
  const target = await emptyShop(folder);
  await expect(restore(target, tampered)).rejects.toThrow("Nothing was kept");
  expect(await allRows(target.url)).toEqual(await rowsOfEmptyShop({ restoring: true }));
  expect(await readdir(target.dataDir)).toEqual([]);

  const env = { ...(await freePorts()), DATABASE_URL: target.url, DATA_DIR: target.dataDir };
  const { code, said } = await waitForExit(run({ ...env, DEMO: "1" }));
  expect(code).toBe(1);
  expect(said).toContain("a restore into this shop failed");
  expect(said).not.toContain("Loading the demo");

  const images = join(target.dataDir, "images");
  await mkdir(join(images, "ab"), { recursive: true });
  await writeFile(join(images, "ab", "half.jpg"), "half");
  await restore(target, whole);
  expect(await readdir(images)).toEqual(await readdir(join(whole, "images")));
  const rows = await allRows(target.url);
  expect(rows.get("public.backup_status")).toEqual(["(t,,f)"]);
});

test.for([
  ["is missing", (file: string) => rm(file)],
  ["is cut off", (file: string) => truncate(file, 1_000)],
] as const)(
  "a restore fails with a sentence if the backup's database file %s",
  async ([, damage], { folder }) => {
    const damaged = await changedBackup(folder, () => ({}));
    await damage(join(damaged, "database.jsonl.gz"));
    const target = await emptyShop(folder);
    await expect(restore(target, damaged)).rejects.toThrow(`${damaged} is not a complete backup: `);
  },
);

async function rulesOf(url: string) {
  const { pool } = openTestDatabase(url, 1);
  const triggers = await pool.query(
    "select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2",
  );
  const constraints = await pool.query(
    "select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint order by 1, 2",
  );
  await pool.end();
  return [triggers.rows, constraints.rows];
}

/** Returns the rows that migrations insert, with the given `restoring` in `backup_status`. */
async function rowsOfEmptyShop({ restoring }: { restoring: boolean }) {
  const rows = await allRows(await createTestDatabase("empty"));
  return rows.set("public.backup_status", [`(t,,${restoring ? "t" : "f"})`]);
}

test("every table is listed as backed up or not, and a backup has no sessions or reset links and is readable only by its owner", async ({
  shop,
  folder,
}) => {
  const { db } = shop.deps;
  const sessions = await findSessions(db);
  const { email } = await member(shop);
  await offerPasswordReset(shop.deps, email);
  const links = await findVerifications(db);
  expect([sessions.length > 0, links.length > 0]).toEqual([true, true]);
  const into = join(folder, "private");
  const hashes = await backUp(source(shop), into);
  const about = JSON.parse(await readFile(join(into, "about.json"), "utf8"));
  expect(about.program).toBe(version);
  const backedUp = Object.keys(hashes).map((name) => name.replaceAll('"', ""));
  expect(backedUp.toSorted()).toEqual(backedUpTables.toSorted());
  const tables = [...(await allRows(shop.databaseUrl)).keys()];
  expect(tables.toSorted()).toEqual([...backedUpTables, ...notBackedUp].toSorted());
  expect((await stat(into)).mode & 0o777).toBe(0o700);
  for (const entry of await readdir(into, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(join(entry.parentPath, entry.name));
    expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600]);
  }
  const rows = gunzipSync(await readFile(join(into, "database.jsonl.gz"))).toString();
  expect(rows).toContain(email);
  for (const secret of [
    ...sessions.map(({ token }) => token),
    ...links.map((one) => one.identifier),
  ])
    expect(rows).not.toContain(secret);
});

test("a connection that breaks between two queries of a backup fails the next query, not the process", async ({
  shop,
}) => {
  const stopped = withClient(shop.databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const ended = new Promise((resolve) => client.once("end", resolve));
    await shop.pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await ended;
    await client.query("select 1");
  });
  await expect(stopped).rejects.toThrow(/connection/i);
});
