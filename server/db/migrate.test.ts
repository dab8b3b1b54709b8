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
    insert into audit (at, verb, object, object_id) values (now(), 'hold', 'booking', gen_random_uuid()),
      (now() + interval '100 days', 'by a clock that is ahead', 'booking', gen_random_uuid());
    insert into limits (key, points) values ('logins:1', 3);
    insert into provider_events (id, type, received_at) values ('evt_1', 'charge', now());
    insert into queued_mail (recipient_hash, kind, queued_at) values ('hash', 'hold', now());
    insert into blocked_addresses (address_hash, blocked_at) values ('hash', now());
    insert into idempotent_requests (id, caller, key, fingerprint, asked_at)
      values ('00000000-0000-7000-8000-000000000001', 'ada', 'key', 'print', now());
    insert into idempotent_steps (request_id, verb, answered)
      values ('00000000-0000-7000-8000-000000000001', 'book', '7');
    insert into members (id, name, email, account_type, created_at)
      values ('00000000-0000-7000-8000-000000000002', 'Ada', 'ada@example.com', 'seller', now());
    insert into products (id, category_id, seller_id, product_name, condition, resale_cents, original_cents, use_duration,
      location, year_of_purchase, mobile_number, description, img, posted_at)
      select members.id, categories.id, members.id, 'XPS 13', 'Good', 64000, 99000, 2, 'Leeds', 2023, '5550123',
        'A laptop.', '/images/1.jpg', now() from members, categories limit 1;
    insert into product_views (product_id, day, views) select id, current_date, 3 from products`);
  await client.end();

  await migrate(url);

  const upgraded = new pg.Client(url);
  await upgraded.connect();
  const { rows } = await upgraded.query(`
    select (select verb from audit_log order by id limit 1) as audit, (select points from rate_limits) as points,
      (select id from webhook_events) as event, (select kind from queued_emails) as email,
      (select email_hash from blocked_emails) as blocked,
      (select result from idempotency_requests join idempotency_steps on request_id = id) as result`);
  expect(rows).toEqual([
    { audit: "hold", points: 3, event: "evt_1", email: "hold", blocked: "hash", result: 7 },
  ]);
  for (const change of ["update audit_log set verb = ''", "truncate audit_log"])
    await expect(upgraded.query(change)).rejects.toThrow("append-only");
  await upgraded.query(
    "insert into audit_log (at, verb, object, object_id) select at + interval '1 year', verb, object, object_id from audit_log",
  );
  const audit = await upgraded.query(
    "select id::int, tableoid::regclass::text as part from audit_log order by id",
  );
  expect(audit.rows).toEqual([
    { id: 1, part: "audit_log_first" },
    { id: 2, part: "audit_log_first" },
    { id: 3, part: "audit_log_default" },
    { id: 4, part: "audit_log_default" },
  ]);
  const views = await upgraded.query(
    "select views, tableoid::regclass::text as part from product_views",
  );
  expect(views.rows).toEqual([{ views: 3, part: "product_views_first" }]);
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

test("an upgrade posts opening journals for payments in every state, and they add up", async () => {
  const url = await createDatabase("upgrade_ledger");
  const client = new pg.Client(url);
  await client.connect();
  await migrateUntil(client, "0100");
  await insertOlderPayments(client);
  await client.end();

  await migrate(url);

  const upgraded = new pg.Client(url);
  await upgraded.connect();
  const { rows } = await upgraded.query(
    "select held::int, refunded::int, disputed::int, lost::int from deal_ledger order by booking_id",
  );
  expect(rows).toEqual(
    olderPayments.map(({ ledger: [held, refunded, disputed, lost] }) => ({
      ...{ held, refunded, disputed, lost },
    })),
  );
  const unbalanced = await upgraded.query(
    "select journal_id from ledger_entries group by journal_id having sum(cents) <> 0",
  );
  expect(unbalanced.rows).toEqual([]);
  await expect(upgraded.query("delete from ledger_entries")).rejects.toThrow("append-only");
  await upgraded.end();
});

test("nodes of the version before write bookings while opening journals are posted", async () => {
  const url = await createDatabase("upgrade_ledger_locks");
  const [migrating, older] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([migrating.connect(), older.connect()]);
  await migrateUntil(migrating, "0102");
  await insertOlderPayments(migrating);
  await migrating.query("begin");
  await migrating.query(await readFile(new URL("0102-opening-journals.sql", folder), "utf8"));
  await older.query("set lock_timeout = '1s'");
  const locked = await older.query("select id from bookings for update nowait");
  expect(locked.rowCount).toBe(olderPayments.length);
  await older.query("update bookings set phone = '5550124'");
  await older.query("update payments set refund_retries = refund_retries + 1");
  await migrating.query("commit");
  await Promise.all([migrating.end(), older.end()]);
});

/** Payments as of a shop without a ledger. */
async function insertOlderPayments(client: pg.Client): Promise<void> {
  // Without members and laptops.
  await client.query(`
    alter table bookings drop constraint bookings_product_id_fkey, drop constraint bookings_buyer_id_fkey;
    alter table bookings disable trigger user;
    alter table payments disable trigger user;
    insert into members (id, name, email, account_type, created_at)
      values ('${admin}', 'Ada', 'ada@example.com', 'buyer', now())`);
  for (const [
    number,
    { state, refunded, sent = 0, failed = [], audit, dispute },
  ] of olderPayments.entries()) {
    const id = `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
    await client.query(
      `insert into bookings (id, product_id, buyer_id, price_cents, phone, location, state, booked_at, held_until)
       values ($1, $1, $1, 64000, '5550123', 'Leeds', 'paid', now(), now())`,
      [id],
    );
    await client.query(
      `insert into payments (id, transaction_id, booking_id, amount_cents, currency, state, recorded_by, recorded_at, refund_id, refunded_at, sent_cents)
       values ($1, $2, $1, 64000, 'usd', $3::text::payment_state, 'webhook', now(), $4, case when $3::text = 'refunded' then now() end, $5)`,
      [id, `pi_${number}`, state, refunded ? `re_${number}` : null, sent],
    );
    for (const refundId of failed)
      await client.query(
        `insert into audit_log (at, verb, object, object_id, detail) values (now(), 'failRefund', 'payment', $1, $2)`,
        [id, { refundId: `${refundId}_${number}` }],
      );
    if (audit)
      await client.query(
        "insert into audit_log (at, actor_id, verb, object, object_id, detail) values (now(), $1, $2, 'payment', $3, $4)",
        [audit.actor, audit.verb, id, audit.detail],
      );
    if (dispute)
      await client.query(
        `insert into disputes (id, payment_id, state, amount_cents, reason, opened_at, closed_at)
         values ($1, $2, $3::text::dispute_state, $4, 'fraudulent', now(), case when $3::text <> 'open' then now() end)`,
        [`du_${number}`, id, dispute.state, dispute.cents],
      );
  }
}

type OlderPayment = {
  state: string;
  refunded?: boolean;
  sent?: number;
  failed?: string[];
  audit?: { actor: string | null; verb: string; detail: object };
  dispute?: { state: string; cents: number };
  /** Expected: held, refunded, disputed and lost, in cents. */
  ledger: [number, number, number, number];
};

const admin = "00000000-0000-7000-8000-000000000999";

const olderPayments: OlderPayment[] = [
  { state: "succeeded", ledger: [64_000, 0, 0, 0] },
  { state: "refund_due", ledger: [64_000, 0, 0, 0] },
  { state: "refunded", refunded: true, ledger: [0, 64_000, 0, 0] },
  {
    ...{ state: "refunded", refunded: true, ledger: [0, 64_000, 0, 0] },
    audit: { actor: admin, verb: "giveBack", detail: {} },
  },
  // Of the refunds the provider knows the amounts; the first reconciliation posts them.
  {
    ...{ state: "refunded", refunded: true, ledger: [64_000, 0, 0, 0] },
    audit: { actor: null, verb: "refund elsewhere", detail: { refundedCents: 10_000 } },
  },
  {
    ...{ state: "refunded", refunded: true, ledger: [64_000, 0, 0, 0] },
    audit: { actor: null, verb: "giveBack", detail: {} },
  },
  {
    ...{ state: "refund_failed", failed: ["re_a"], ledger: [64_000, 0, 0, 0] },
    audit: { actor: null, verb: "refund elsewhere", detail: { refundedCents: 10_000 } },
  },
  { state: "refunded", refunded: true, failed: ["re_a"], ledger: [64_000, 0, 0, 0] },
  { state: "refund_failed", failed: ["re_a", "re_b", "re_c"], ledger: [64_000, 0, 0, 0] },
  { state: "refunded", sent: 64_000, failed: ["re_a"], ledger: [0, 64_000, 0, 0] },
  { state: "succeeded", dispute: { state: "open", cents: 64_000 }, ledger: [64_000, 0, 0, 0] },
  { state: "succeeded", dispute: { state: "won", cents: 64_000 }, ledger: [64_000, 0, 0, 0] },
  { state: "refunded", dispute: { state: "lost", cents: 64_000 }, ledger: [0, 0, 64_000, 0] },
  { state: "succeeded", dispute: { state: "lost", cents: 16_000 }, ledger: [48_000, 0, 16_000, 0] },
  {
    ...{ state: "refunded", sent: 48_000, dispute: { state: "lost", cents: 16_000 } },
    ledger: [0, 48_000, 16_000, 0],
  },
  {
    ...{ state: "refunded", refunded: true, dispute: { state: "lost", cents: 64_000 } },
    ledger: [0, 64_000, 64_000, 64_000],
  },
];

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

test("a migration that waits for a lock lets writers through, and is applied afterwards; so is one that was interrupted", async () => {
  const url = await createDatabase("upgrade_locks");
  const [migrating, reader, writer] = [new pg.Client(url), new pg.Client(url), new pg.Client(url)];
  await Promise.all([migrating.connect(), reader.connect(), writer.connect()]);
  await migrateUntil(migrating, "0190");
  await migrating.end();
  await reader.query("begin; lock table members in row exclusive mode");
  const migrated = migrate(url);
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
  const { rows } = await reader.query("select max(name) > '0190' as applied from migrations");
  expect(rows).toEqual([{ applied: true }]);

  // An index whose creation did not finish: it has the name, and no query uses it.
  await writer.query("drop index members_mailbox_idx");
  const unfinished = writer.query(
    "create unique index concurrently members_mailbox_idx on migrations ((1))",
  );
  await expect(unfinished).rejects.toMatchObject({ code: "23505" });
  await writer.query("delete from migrations where name = '0205-index-of-mailboxes.sql'");
  // Two nodes that start together: neither is ended as part of a deadlock.
  await Promise.all([migrate(url), migrate(url)]);
  const made = await reader.query(
    "select indrelid::regclass::text as of from pg_index where indexrelid = 'members_mailbox_idx'::regclass and indisvalid",
  );
  expect(made.rows).toEqual([{ of: "members" }]);
  await Promise.all([reader.end(), writer.end()]);
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
