import { sql } from "kysely";
import type { BookingState } from "#contract/life-cycle.ts";
import type { Tx } from "./database.ts";

/** An email to send; with `onlyWhile` it is dropped if the booking has changed in the meantime. */
export type QueuedEmail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  onlyWhile?: BookingCondition | undefined;
};

/** A booking is in one of these states. */
export type BookingCondition = { bookingId: string; states: readonly BookingState[] };

/** The jobs, each with its payload. */
export type Jobs = {
  expireHold: { bookingId: string };
  settleIntent: { intentId: string };
  refundPayment: { paymentId: string };
  sendMail: QueuedEmail;
  offerPasswordReset: { email: string };
  removeImage: { sha256: string };
  reconcile: Record<string, never>;
  cleanUp: Record<string, never>;
  endHoldsOf: { memberId: string; actor: string };
  freeLostJobs: Record<string, never>;
};

export type JobName = keyof Jobs;

/**
 * Enqueues a job in the transaction: it runs after the commit, or at `runAt`, and never after a rollback. A
 * failed job is retried 25 times over about three days.
 */
export async function enqueue<N extends JobName>(
  tx: Tx,
  name: N,
  { payload, runAt }: { payload: Jobs[N]; runAt?: Date },
): Promise<void> {
  const body = JSON.stringify(payload);
  await sql`
    select graphile_worker.add_job(
      ${name}, ${body}::json, run_at => ${runAt ?? null}::timestamptz
    )`.execute(tx);
}

/** Unlocks the jobs of crashed processes after ten minutes. Graphile Worker by itself waits four hours. */
export async function freeLostJobs(tx: Tx): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs where locked_at < now() - interval '10 minutes'
    ))`.execute(tx);
}
