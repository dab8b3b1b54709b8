import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { findSessions, findVerifications } from "../adapters/identity/testing.ts";
import { offerPasswordReset } from "../features/identity/password-reset.ts";
import { cloneDatabase } from "../testing/clone-database.ts";
import { shopTest } from "../testing/fixtures.ts";
import { bookLaptop, listLaptop } from "../testing/marketplace.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createMember } from "../testing/people.ts";
import type { Shop } from "../testing/shop.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";
import { hashTables } from "./tables.ts";

const test = shopTest().extend("folder", { scope: "file" }, () =>
  mkdtemp(join(tmpdir(), "secondlap backup ")),
);

test.beforeAll(async ({ shop, seller }) => {
  for (let index = 0; index < 3; index += 1) {
    const product = await listLaptop(seller, {
      description: "Quotes ' \" \\, tabs \t, lines \n, 漢字 and 🦊.",
    });
    await bookLaptop(await createMember(shop), product);
  }
});

test.afterAll(async ({ folder }) => {
  await rm(folder, { recursive: true, force: true });
});

async function emptyShop(folder: string) {
  return {
    url: await cloneDatabase("restored"),
    dataDir: await mkdtemp(join(folder, "restored-")),
  };
}

const source = (shop: Shop) => ({ url: shop.databaseUrl, dataDir: shop.deps.config.dataDir });

async function hashesAt(url: string): Promise<Record<string, string>> {
  const { pool } = openTestDatabase(url, 1);
  const client = await pool.connect();
  const hashes = await hashTables(client);
  client.release();
  await pool.end();
  return hashes;
}

test("a backup of a busy shop is a consistent snapshot, with images", async ({
  shop,
  seller,
  folder,
}) => {
  const into = join(folder, "while-running");
  let writing = true;
  const writer = (async () => {
    while (writing) await listLaptop(seller);
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

test("a restored shop has the same row hashes", async ({ shop, folder }) => {
  const into = join(folder, "quiet");
  await backUp(source(shop), into);
  const target = await emptyShop(folder);
  await restore(target, into);
  expect(await hashesAt(target.url)).toEqual(await hashesAt(shop.databaseUrl));
});

test("overwrites neither an existing folder nor a shop with members", async ({ shop, folder }) => {
  await expect(backUp(source(shop), folder)).rejects.toThrow("exists already");
  const into = join(folder, "refused");
  await backUp(source(shop), into);
  await expect(restore(source(shop), into)).rejects.toThrow("This shop has members already");
});

test("rejects a backup that was tampered with", async ({ shop, folder }) => {
  const into = join(folder, "tampered");
  await backUp(source(shop), into);
  const about = JSON.parse(await readFile(join(into, "about.json"), "utf8"));
  await writeFile(
    join(into, "about.json"),
    JSON.stringify({ ...about, hashes: { ...about.hashes, "public.products": "1 x" } }),
  );
  const target = await emptyShop(folder);
  await expect(restore(target, into)).rejects.toThrow("Nothing was kept");
  expect((await hashesAt(target.url))["public.products"]).toBe("0 ");
});

test("a backup is readable by its owner only, and contains no sessions or links", async ({
  shop,
  folder,
}) => {
  const { db } = shop.deps;
  const sessions = await findSessions(db);
  const { email } = await createMember(shop);
  await offerPasswordReset(shop.deps, email);
  const links = await findVerifications(db);
  expect([sessions.length > 0, links.length > 0]).toEqual([true, true]);
  const into = join(folder, "private");
  await backUp(source(shop), into);
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
