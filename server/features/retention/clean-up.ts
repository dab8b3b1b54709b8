import { type RawBuilder, sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import type { DB } from "../../db/schema.ts";
import type { Deps } from "../../deps.ts";
import { runParts } from "../../jobs/define-jobs.ts";
import { deleteOldPhotos, deleteUnsentPhotos } from "../images/attach-photos.ts";
import { deleteUnusedImages } from "../images/unused-images.ts";
import { eraseDeletedMembers } from "../members/erase-deleted-members.ts";

const day = 24;

/**
 * Retention in hours. Among the data kept forever, and therefore not listed, are:
 * - the audit log (unless `AUDIT_LOG_YEARS` is set), and the ledger
 * - members with their listings, bookings and payments
 * - messages and reports; the text is erased with the member who wrote it
 * - reviews, without the names of erased members
 * - hashes of email addresses that were invited, or have opted out of invitations
 */
export const retentionHours = {
  /** See decisions/idempotency. */
  idempotencyKeys: 24,
  /** Counted from the upload, like `unsentPhotos`. */
  unusedImages: 24,
  unsentPhotos: 24,
  /**
   * About as long as banks can open disputes (decisions/audit-log). Photos of undecided complaints
   * are kept longer.
   */
  privatePhotos: 540 * day,
  /** Counted from expiry, like `emailedLinks` and `rateLimits`. */
  sessions: 0,
  /** Counted from sign-in, even if the session is still in use. */
  longSessions: 30 * day,
  emailedLinks: 0,
  /** Used authenticator codes, which are valid for minutes. */
  usedCodes: 1,
  /** By PostgreSQL's clock. Nodes read changes within seconds (decisions/public-cache). */
  publicChanges: 1,
  /** By PostgreSQL's clock. Replicas that lag more than a second serve no reads. */
  writePositions: 1,
  rateLimits: 0,
  /** The longest window of an email limit. */
  queuedEmails: 24,
  /** The card provider resends events for three days; support needs the events for longer. */
  webhookEvents: 90 * day,
  /** Longer than the 30 days for which a listing is matched with saved searches. */
  savedSearchMatches: 90 * day,
  /** Enough to compare a month with the same month a year earlier. */
  productViews: 400 * day,
  /** Emails that failed all retries. Sent emails are deleted immediately. */
  unsentEmails: 14 * day,
  /**
   * Personal data of deleted members, kept for disputes about their last booking. Until the data is
   * erased, their addresses can't be used to sign up.
   */
  deletedMembers: 30 * day,
  /** Keyed hashes of cards, browsers, domains and mailboxes, which reveal second accounts. */
  memberTraces: 730 * day,
  /** Keyed hashes of networks, kept for less time because providers reassign addresses. */
  networks: 30 * day,
};

export async function cleanUp(deps: Deps): Promise<void> {
  await runParts("cleaned up", async (attempt) => {
    for (const [name, deleteBefore] of Object.entries(steps)) {
      const hours = retentionHours[name as keyof typeof retentionHours];
      const before = new Date(deps.clock.now().getTime() - hours * 3_600_000);
      await attempt(() => deleteBefore(deps, before));
    }
    await attempt(() => deleteOldAuditLog(deps));
  });
}

/** Entries are numbered by time, so the batch needs no index on `at`. */
async function deleteOldAuditLog(deps: Deps): Promise<void> {
  const years = deps.config.auditLogYears;
  if (years === undefined) return;
  // By PostgreSQL's clock, like the trigger that protects the entries of the last three years.
  const before = sql`now() - make_interval(years => ${years})`;
  const oldest = sql`select id, at from audit_log order by id limit ${sql.lit(batchSize)}`;
  const isOld = sql`at < ${before}
    and id <= (select max(id) from (${oldest}) as oldest where at < ${before})`;
  await deleteInBatches(deps, "audit_log", { isOld });
}

const steps: Record<keyof typeof retentionHours, (deps: Deps, before: Date) => Promise<void>> = {
  idempotencyKeys: inBatches("idempotency_requests", "created_at"),
  unusedImages: deleteUnusedImages,
  unsentPhotos: deleteUnsentPhotos,
  privatePhotos: deleteOldPhotos,
  sessions: inTransaction("deleteExpiredSessions", (tx, before, { identity }) =>
    identity.sessions.deleteExpired(tx, before),
  ),
  longSessions: inTransaction("deleteOldSessions", (tx, before, { identity }) =>
    identity.sessions.deleteStarted(tx, before),
  ),
  emailedLinks: inTransaction("deleteEmailedLinks", async (tx, before, { identity }) => {
    await identity.resetLinks.deleteExpired(tx, before);
    await tx.deleteFrom("email_confirmations").where("expires_at", "<", before).execute();
    await tx.deleteFrom("staff_invitations").where("expires_at", "<", before).execute();
  }),
  usedCodes: inTransaction("deleteUsedCodes", (tx, before, { identity }) =>
    identity.secondFactors.deleteUsedCodes(tx, before),
  ),
  publicChanges: (deps) => deleteInBatches(deps, "public_changes", hoursAgo("publicChanges")),
  writePositions: (deps) => deleteInBatches(deps, "write_positions", hoursAgo("writePositions")),
  rateLimits: (deps, before) =>
    deleteInBatches(deps, "rate_limits", {
      isOld: sql`expire < ${String(before.getTime())}`,
      order: sql.ref("expire"),
    }),
  queuedEmails: inBatches("queued_emails", "queued_at"),
  webhookEvents: inBatches("webhook_events", "received_at"),
  savedSearchMatches: inBatches("saved_search_matches", "matched_at"),
  productViews: inBatches("product_views", "day"),
  unsentEmails: inTransaction("deleteUnsentEmails", (tx, before) =>
    sql`select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where task_identifier in ('sendMail', 'offerPasswordReset')
        and attempts >= max_attempts and locked_at is null and updated_at < ${before}
    ))`.execute(tx),
  ),
  memberTraces: inBatches("member_traces", "seen_at"),
  networks: (deps, before) =>
    deleteInBatches(deps, "member_traces", {
      isOld: sql`kind = 'network' and seen_at < ${before}`,
      order: sql.ref("seen_at"),
    }),
  deletedMembers: inTransaction("eraseDeletedMembers", (tx, before, { clock }) =>
    eraseDeletedMembers(tx, before, clock.now()),
  ),
};

function inTransaction(verb: string, work: (tx: Tx, before: Date, deps: Deps) => Promise<unknown>) {
  return async (deps: Deps, before: Date) => {
    await transact(deps.db, verb, (tx) => work(tx, before, deps));
  };
}

/** Rows per statement: few enough to finish before the statement timeout. */
const batchSize = 10_000;

function inBatches(table: keyof DB, time: string) {
  const column = sql.ref(time);
  return (deps: Deps, before: Date) =>
    deleteInBatches(deps, table, { isOld: sql`${column} < ${before}`, order: column });
}

/**
 * By PostgreSQL's clock. The rows aren't sorted, because an index on `at` would slow down every
 * write.
 */
function hoursAgo(retention: keyof typeof retentionHours): Old {
  return { isOld: sql`at < now() - make_interval(hours => ${retentionHours[retention]})` };
}

type Old = { isOld: RawBuilder<unknown>; order?: RawBuilder<unknown> };

async function deleteInBatches({ db }: Deps, table: keyof DB, { isOld, order }: Old) {
  const name = sql.table(table);
  for (let deleted = batchSize; deleted === batchSize; )
    deleted = await transact(db, `delete ${table}`, async (tx) => {
      const ordered = order ? sql`order by ${order}` : sql``;
      const old = sql`select ctid from ${name} where ${isOld} ${ordered} limit ${sql.lit(batchSize)}`;
      // Checks the age again, because a row may be renewed after the subquery has read it.
      const { numAffectedRows } =
        await sql`delete from ${name} where ctid = any(array(${old})) and ${isOld}`.execute(tx);
      return Number(numAffectedRows);
    });
}
