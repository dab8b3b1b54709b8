import { sql } from "kysely";
import type { BookingState } from "#contract/life-cycle.ts";
import type { Email } from "../adapters/mail/port.ts";
import type { Tx } from "./database.ts";

/** A letter to be sent; one about a deal perhaps only while that is as the letter says. */
export type QueuedEmail = Email & { onlyWhile?: BookingCondition | undefined };

/** The states a booking is in. */
export type BookingCondition = { bookingId: string; states: readonly BookingState[] };

/** What can be left to do after a transaction, with what each job needs to know. */
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
 * Leaves a job to be done once the transaction is committed, and never if it is not; `runAt` puts it
 * off. A job that fails is tried again, 25 times over about three days.
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

/**
 * Lets the jobs of processes that died be done by others: what was taken on ten minutes ago, and is still
 * not done, never will be. Graphile Worker by itself waits four hours.
 */
export async function freeLostJobs(tx: Tx): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs where locked_at < now() - interval '10 minutes'
    ))`.execute(tx);
}
