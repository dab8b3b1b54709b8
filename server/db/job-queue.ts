import { sql } from "kysely";
import type { BookingState, OfferState } from "#contract/life-cycle.ts";
import { addPendingJobs, committedJobs } from "./committed-changes.ts";
import type { Tx } from "./database.ts";
import { currentRequestId } from "./request-id.ts";

/**
 * An email to send. It is dropped if, with `onlyWhile`, the booking has changed in the meantime or, with
 * `unsubscribeUrl`, the recipient has unsubscribed.
 */
export type QueuedEmail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  onlyWhile?: BookingCondition | undefined;
  unsubscribeUrl?: string | undefined;
  /** An iCalendar file, attached. */
  calendar?: string | undefined;
};

export type BookingCondition = { bookingId: string; states: readonly BookingState[] };

export type Jobs = {
  expireHold: { bookingId: string };
  settleIntent: { intentId: string };
  refundPayment: { paymentId: string };
  refundPart: { refundId: string };
  settleDeals: Record<string, never>;
  readSellerAccount: { accountId: string };
  recordReversals: { bookingId: string };
  sendMail: QueuedEmail;
  remindOfMeeting: { meetingId: string };
  offerPasswordReset: { email: string };
  encodeAvif: { sha256: string };
  removeImage: { sha256: string };
  removePrivatePhoto: { name: string };
  reconcile: Record<string, never>;
  reconcileLedger: Record<string, never>;
  cleanUp: Record<string, never>;
  keepAuditLog: Record<string, never>;
  keepProductViews: Record<string, never>;
  /** `between`: only those with this member. */
  endHoldsOf: { memberId: string; actor: string; between?: string };
  deleteHostedAccount: { accountId: string };
  freeLostJobs: Record<string, never>;
  foldOverviewDeltas: Record<string, never>;
  foldSearchCounts: Record<string, never>;
  indexListings: Record<string, never>;
  refreshVocabulary: Record<string, never>;
  mailSavedProducts: Record<string, never>;
  mailSavedSearches: Record<string, never>;
  mailMessages: Record<string, never>;
  reviewSteps: Record<string, never>;
  expireOffer: { offerId: string };
  declineOffer: { offerId: string };
  mailOffer: { offerId: string; state: OfferState };
  refreshFairPrices: Record<string, never>;
  rewardInvitations: Record<string, never>;
  expireCredits: Record<string, never>;
};

export type JobName = keyof Jobs;

/**
 * Enqueues a job in the transaction: it runs after the commit, or at `runAt`, and never after a rollback. A
 * failed job is retried 25 times over about three days.
 */
export async function enqueue<N extends JobName>(
  tx: Tx,
  name: N,
  job: { payload: Jobs[N]; runAt?: Date },
): Promise<void> {
  await insertJob(tx, name, job).execute();
  if (!tx.isTransaction) committedJobs.publish({});
}

/** The insert of `enqueue`, to run together with others. */
export function insertJob<N extends JobName>(
  tx: Tx,
  name: N,
  { payload, runAt }: { payload: Jobs[N]; runAt?: Date },
) {
  addPendingJobs(tx);
  const carried = { ...payload, requestId: currentRequestId() };
  const job = { task: name, payload: JSON.stringify(carried), ...(runAt && { run_at: runAt }) };
  return tx.insertInto("job_outbox").values(job);
}

/** Jobs that call the card provider, or Firebase. The others run before them, and so don't wait for a slow one's many jobs. */
const providerJobs: JobName[] = [
  "expireHold",
  "settleIntent",
  "refundPayment",
  "refundPart",
  "settleDeals",
  "readSellerAccount",
  "recordReversals",
  "endHoldsOf",
  "deleteHostedAccount",
  "reconcileLedger",
];

/** How many jobs one batch forwards. */
const batchSize = 500;

/**
 * Hands committed jobs over to Graphile Worker, the oldest first, each exactly once: one statement removes them
 * here and adds them there. Returns whether there may be more.
 */
export async function forwardJobs(tx: Tx): Promise<boolean> {
  const { rows } = await sql`
    with batch as (
      delete from job_outbox where id in (
        select id from job_outbox order by id limit ${sql.lit(batchSize)} for update skip locked
      )
      returning id, task, payload, run_at
    ), jobs as (
      select array_agg(
        (task, payload, null, run_at, null, null, case when task = any(${providerJobs}) then 10 else 0 end, null)::graphile_worker.job_spec order by id
      ) as specs
      from batch having count(*) > 0
    )
    select added.id from jobs, lateral graphile_worker.add_jobs(specs) as added`.execute(tx);
  return rows.length === batchSize;
}
