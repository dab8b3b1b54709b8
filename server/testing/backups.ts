import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readLedger } from "#contract/ledger.ts";
import { createTestDatabase } from "./create-test-database.ts";
import { member } from "./people.ts";
import type { Shop } from "./shop.ts";
import { openTestDatabase } from "./test-connections.ts";

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "secondlap backup "));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a database in another time zone. Its owner isn't a superuser. */
export async function databaseOfAnotherServer(): Promise<string> {
  const url = await createTestDatabase("restored");
  const { pool } = openTestDatabase(url, 1);
  const name = new URL(url).pathname.slice(1);
  await pool.query(`alter database ${name} set timezone = 'Asia/Tokyo'`);
  await pool.end();
  return url;
}

/** Returns all rows as text, by schema and table name. */
export async function allRows(url: string): Promise<Map<string, string[]>> {
  const { pool } = openTestDatabase(url, 1);
  const client = await pool.connect();
  await client.query("set timezone = 'UTC'");
  const { rows } = await client.query<{ name: string }>(`
    select format('%s.%s', nspname, relname) as name
    from pg_class join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'm', 'f')
      and nspname <> 'information_schema' and nspname !~ '^pg_'
    order by name`);
  const tables = new Map<string, string[]>();
  for (const { name } of rows) {
    const [schema, table] = name.split(".");
    const read = await client.query<{ row: string }>(
      `select t::text as row from "${schema}"."${table}" t order by t::text`,
    );
    tables.set(
      name,
      read.rows.map(({ row }) => row),
    );
  }
  client.release();
  await pool.end();
  return tables;
}

export async function backedUpRows(url: string): Promise<Map<string, string[]>> {
  const tables = await allRows(url);
  for (const name of notBackedUp) tables.delete(name);
  return tables;
}

export async function allPhotos(dataDir: string): Promise<Map<string, Buffer>> {
  const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const photos = files
    .filter((file) => file.isFile() && /\.(jpg|webp|avif)$/.test(file.name))
    .map((file) => join(file.parentPath, file.name));
  const read = photos
    .toSorted()
    .map(async (path) => [path.slice(dataDir.length), await readFile(path)] as const);
  return new Map(await Promise.all(read));
}

export async function balancesOf(shop: Shop) {
  const admin = await member(shop, { isAdmin: true });
  const { balances } = await admin.call(readLedger, {});
  const deals = await shop.pool.query("select * from deal_ledger order by booking_id, currency");
  const credits = await shop.pool.query("select * from credit_accounts order by member_id");
  return { ledger: balances, deals: deals.rows, credits: credits.rows };
}

/** Each table is in one of two lists. This list has the tables that a restored shop needs. */
const backedUp = {
  graphile_worker: `
    _private_job_queues _private_jobs _private_known_crontabs _private_tasks`,
  identity: `
    account passkey signInCutoff twoFactor usedCode user`,
  public: `
    audit_log balance_transactions blocked_members bookings categories
    complaints conversation_members conversation_reports conversations credit_accounts
    dispute_evidence disputes email_confirmations email_opt_outs event_cursor
    fair_price_groups fair_price_model handover_codes idempotency_requests
    idempotency_steps images invitation_codes invitation_opt_out_key
    invitations invited_addresses job_outbox job_runners laptop_facts ledger_differences
    ledger_entries ledger_journals ledger_reconciliation listing_flags listing_snapshots
    meetings member_traces members message_inboxes messages money_moves newly_listed offer_floors offers
    payments payout_accounts payouts
    price_changes private_photos product_views products queued_emails rate_limits reply_times
    reports review_reports review_windows reviews saved_product_changes
    saved_product_settings saved_products saved_search_matches saved_searches
    search_documents search_vocabulary serial_numbers
    settlements shop_settings staff_invitations state_transitions webhook_events`,
};

/** Tables that hold migrations, one server's or database's state, sessions, or email links. */
const leftOut = {
  graphile_worker: "migrations",
  identity: "session verification",
  public: "backup_status migrations public_changes write_positions",
};

export const backedUpTables = namesIn(backedUp);
export const notBackedUp = namesIn(leftOut);

function namesIn(schemas: Record<string, string>): string[] {
  return Object.entries(schemas).flatMap(([schema, tables]) =>
    tables
      .trim()
      .split(/\s+/)
      .map((table) => `${schema}.${table}`),
  );
}
