import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { listen } from "../testing/free-port.ts";
import { withDatabase } from "../testing/global-setup.ts";
import { migrate } from "./migrate.ts";

test("nodes that start at the same time on an empty database apply the schema once", async () => {
  const url = await createDatabase("first_start");
  await Promise.all([migrate(url), migrate(url), migrate(url)]);
  const client = await open(url);
  const { rows } = await client.query("select name from migrations");
  expect(rows).toEqual([{ name: "schema 1.0.0" }]);
});

test("migrating a database from before 1.0.0 fails and creates no tables of the shop or the job queue", async () => {
  const url = await createDatabase("before_1_0_0");
  const client = await open(url);
  await client.query(`
    create table migrations (name text primary key, applied_at timestamptz not null default now());
    insert into migrations (name) values ('0001-identity.sql')`);
  await expect(migrate(url)).rejects.toThrow(
    "This data is from before Secondlap 1.0.0, which can't read it. Move the data folder away, or point DATABASE_URL at an empty database.",
  );
  const { rows } = await client.query(
    "select tablename from pg_tables where schemaname = 'public'",
  );
  expect(rows).toEqual([{ tablename: "migrations" }]);
  const queue = await client.query("select to_regnamespace('graphile_worker') as schema");
  expect(queue.rows).toEqual([{ schema: null }]);
});

test("a migration fails if a newer Secondlap version has already migrated the database", async () => {
  const url = await createDatabase("newer");
  await migrate(url, await migrations({ "0001-weights.sql": "create table weights ()" }));
  await expect(migrate(url)).rejects.toThrow(
    "The database was migrated by a newer Secondlap (0001-weights.sql). Update this one, or point it at another database.",
  );
});

test("a migration waits for a database that takes seven seconds to accept a connection", async () => {
  const url = new URL(await createDatabase("slow_to_accept"));
  const { port, hostname } = url;
  const slow = createServer(async (socket) => {
    socket.pause();
    await wait(7_000);
    const postgres = connect(Number(port), hostname);
    socket.pipe(postgres).pipe(socket);
  });
  url.port = String(await listen(slow));
  await expect(migrate(String(url))).resolves.toBeUndefined();
  slow.close();
});

test("a migration waiting for a table lock blocks writers only briefly, and is applied later", async () => {
  const url = await createDatabase("migration_locks");
  await migrate(url);
  const [reader, writer] = [await open(url), await open(url)];
  const folder = await migrations({
    "0001-weight.sql": "alter table members add column weight integer",
  });
  await reader.query("begin; lock table members in row exclusive mode");
  const migrated = migrate(url, folder);
  const waiting = async () =>
    (
      await writer.query(
        "select from pg_locks where relation = 'members'::regclass and not granted",
      )
    ).rowCount;
  await expect.poll(waiting).toBe(1);
  await writer.query("set statement_timeout = '20s'");
  await writer.query("begin; lock table members in row exclusive mode; commit");
  await reader.query("commit");
  await migrated;
  await reader.query("select weight from members");
});

test("a migration recreates an invalid index left by a failed creation", async () => {
  const url = await createDatabase("migration_index");
  await migrate(url);
  const client = await open(url);
  const folder = await migrations({
    "0001-index.sql": `-- Outside a transaction
      create index concurrently if not exists categories_image_idx on categories (brand_img);`,
  });
  // This statement fails and leaves an invalid index with the same name.
  const unfinished = client.query(
    "create unique index concurrently categories_image_idx on categories ((1))",
  );
  await expect(unfinished).rejects.toMatchObject({ code: "23505" });
  // Two nodes migrate at the same time without a deadlock.
  await Promise.all([migrate(url, folder), migrate(url, folder)]);
  const { rows } = await client.query(
    "select indisunique from pg_index where indexrelid = 'categories_image_idx'::regclass and indisvalid",
  );
  expect(rows).toEqual([{ indisunique: false }]);
});

test("a failed migration says why and is rolled back, and the next start retries the migration", async () => {
  const url = await createDatabase("migration_fails");
  const failing = await migrations({
    "0001-weights.sql": "create table weights (); select 1 / 0;",
  });
  await expect(migrate(url, failing)).rejects.toThrow(
    "Migration 0001-weights.sql failed: division by zero",
  );
  await migrate(url, await migrations({ "0001-weights.sql": "create table weights ()" }));
  const { rows } = await (await open(url)).query("select name from migrations order by name");
  expect(rows).toEqual([{ name: "0001-weights.sql" }, { name: "schema 1.0.0" }]);
});

async function migrations(files: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), "secondlap-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return pathToFileURL(`${folder}/`);
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function createDatabase(name: string): Promise<string> {
  const admin = new pg.Client(inject("postgresUrl"));
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return withDatabase(inject("postgresUrl"), name);
}
