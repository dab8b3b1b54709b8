import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { withDatabase } from "../testing/postgres.ts";
import { migrate } from "./migrate.ts";

const folder = new URL("./migrations/", import.meta.url);

test("an upgrade to the standard table names keeps rows and the append-only audit log, and leaves no former name", async () => {
  const url = await createDatabase("upgrade_table_names");
  const client = new pg.Client(url);
  await client.connect();
  await migrateUntil(client, "0031");
  await client.query(`
    insert into audit (at, verb, object, object_id) values (now(), 'hold', 'booking', gen_random_uuid());
    insert into limits (key, points) values ('logins:1', 3);
    insert into provider_events (id, type, received_at) values ('evt_1', 'charge', now());
    insert into queued_mail (recipient_hash, kind, queued_at) values ('hash', 'hold', now());
    insert into blocked_addresses (address_hash, blocked_at) values ('hash', now());
    insert into idempotent_requests (id, caller, key, fingerprint, asked_at)
      values ('00000000-0000-7000-8000-000000000001', 'ada', 'key', 'print', now());
    insert into idempotent_steps (request_id, verb, answered)
      values ('00000000-0000-7000-8000-000000000001', 'book', '7')`);
  await client.end();

  await migrate(url);

  const upgraded = new pg.Client(url);
  await upgraded.connect();
  const { rows } = await upgraded.query(`
    select (select verb from audit_log) as audit, (select points from rate_limits) as points,
      (select id from webhook_events) as event, (select kind from queued_emails) as email,
      (select email_hash from blocked_emails) as blocked,
      (select result from idempotency_requests join idempotency_steps on request_id = id) as result`);
  expect(rows).toEqual([
    { audit: "hold", points: 3, event: "evt_1", email: "hold", blocked: "hash", result: 7 },
  ]);
  for (const change of ["update audit_log set verb = ''", "truncate audit_log"])
    await expect(upgraded.query(change)).rejects.toThrow("append-only");
  await upgraded.query(
    "insert into audit_log (at, verb, object, object_id) select at, verb, object, object_id from audit_log",
  );
  const former = await upgraded.query(`
    select name from (
      select relname::text as name from pg_class where relnamespace = 'public'::regnamespace
      union all select conname from pg_constraint where connamespace = 'public'::regnamespace
      union all select tgname from pg_trigger where not tgisinternal
      union all select proname from pg_proc where pronamespace = 'public'::regnamespace
    ) as names
    where name ~ '^(audit_(?!log)|limits|life_cycle|idempotent|provider_events|queued_mail|blocked_addresses)|keep_life_cycle|tell_|_(stay|stays)$'`);
  expect(former.rows).toEqual([]);
  await upgraded.end();
});

test("a database that takes seven seconds to accept a connection is waited for", async () => {
  const url = new URL(await createDatabase("slow_to_accept"));
  const { port, hostname } = url;
  const slow = createServer(async (socket) => {
    socket.pause();
    await wait(7_000);
    const postgres = connect(Number(port), hostname);
    socket.pipe(postgres).pipe(socket);
  });
  await once(slow.listen(0, "127.0.0.1"), "listening");
  url.port = String((slow.address() as AddressInfo).port);
  await expect(migrate(String(url))).resolves.toBeUndefined();
  slow.close();
});

async function createDatabase(name: string): Promise<string> {
  const admin = new pg.Client(inject("postgresUrl"));
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return withDatabase(inject("postgresUrl"), name);
}

async function migrateUntil(client: pg.Client, end: string): Promise<void> {
  await client.query(
    "create table migrations (name text primary key, applied_at timestamptz not null default now())",
  );
  const files = (await readdir(folder))
    .filter((file) => file.endsWith(".sql") && file < end)
    .sort();
  for (const file of files) {
    await client.query(await readFile(new URL(file, folder), "utf8"));
    await client.query("insert into migrations (name) values ($1)", [file]);
  }
}
