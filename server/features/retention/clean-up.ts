import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { aggregateErrors } from "../../errors.ts";
import { deleteUnusedImages } from "../images/unused-images.ts";
import { eraseDeletedMembers } from "../members/erase.ts";

const days = 24;

/**
 * How many hours everything is kept that is not kept for good. What is: members and their listings,
 * bookings and payments while they are members, the counts of views, and the audit log.
 */
export const retentionHours = {
  /** An Idempotency-Key repeated later is a new request (decision 0010). */
  idempotencyKeys: 24,
  /** A photo that nothing shows, from its upload on. */
  unusedImages: 24,
  /** A session or a mailed link that has run out is nothing any more; neither is a count of a limit. */
  sessions: 0,
  /** Everybody logs in anew once a month, however often they come. */
  longSessions: 30 * days,
  mailedLinks: 0,
  /** A code that was tried is remembered while it is valid, which is minutes. */
  usedCodes: 1,
  limits: 0,
  /** What each address was mailed, for as long as that is counted. */
  queuedMail: 24,
  /** The card provider sends an event again for three days; a question about one may come later. */
  providerEvents: 90 * days,
  /** A letter that no server took in three days of trying; one that was sent is gone at once. */
  unsentMail: 14 * days,
  /** Name, address and telephone number of whoever left, for a dispute about the last deal. */
  deletedMembers: 30 * days,
  /** The address of a deleted account makes no new one for as long. */
  blockedAddresses: 30 * days,
};

/** Lets go of what was kept as long as it was needed: a job of every hour. Throws at the end where any part failed. */
export async function cleanUp(deps: Deps): Promise<void> {
  const failures: unknown[] = [];
  for (const [what, forget] of Object.entries(steps)) {
    const hours = retentionHours[what as keyof typeof retentionHours];
    const before = new Date(deps.clock.now().getTime() - hours * 3_600_000);
    await forget(deps, before).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw aggregateErrors("cleaned up", failures);
}

const steps: Record<keyof typeof retentionHours, (deps: Deps, before: Date) => Promise<void>> = {
  idempotencyKeys: inOne("forgetOldKeys", (tx, before) =>
    tx.deleteFrom("idempotency_requests").where("created_at", "<", before).execute(),
  ),
  unusedImages: deleteUnusedImages,
  sessions: inOne("forgetEndedSessions", (tx, before, { identity }) =>
    identity.sessions.deleteExpired(tx, before),
  ),
  longSessions: inOne("endLongSessions", (tx, before, { identity }) =>
    identity.sessions.deleteStarted(tx, before),
  ),
  mailedLinks: inOne("forgetMailedLinks", async (tx, before, { identity }) => {
    await identity.resetLinks.deleteExpired(tx, before);
    await tx.deleteFrom("email_confirmations").where("expires_at", "<", before).execute();
  }),
  usedCodes: inOne("forgetUsedCodes", (tx, before, { identity }) =>
    identity.secondFactors.deleteUsedCodes(tx, before),
  ),
  limits: inOne("forgetLimits", (tx, before) =>
    tx.deleteFrom("rate_limits").where("expire", "<", String(before.getTime())).execute(),
  ),
  queuedMail: inOne("forgetQueuedMail", (tx, before) =>
    tx.deleteFrom("queued_emails").where("queued_at", "<", before).execute(),
  ),
  providerEvents: inOne("forgetProviderEvents", (tx, before) =>
    tx.deleteFrom("webhook_events").where("received_at", "<", before).execute(),
  ),
  unsentMail: inOne("forgetUnsentMail", (tx, before) =>
    sql`select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where task_identifier in ('sendMail', 'offerPasswordReset')
        and attempts >= max_attempts and locked_at is null and updated_at < ${before}
    ))`.execute(tx),
  ),
  blockedAddresses: inOne("forgetBlockedAddresses", (tx, before) =>
    tx.deleteFrom("blocked_emails").where("blocked_at", "<", before).execute(),
  ),
  deletedMembers: inOne("eraseDeletedMembers", (tx, before, { clock }) =>
    eraseDeletedMembers(tx, before, clock.now()),
  ),
};

function inOne(verb: string, forget: (tx: Tx, before: Date, deps: Deps) => Promise<unknown>) {
  return async (deps: Deps, before: Date) => {
    await transact(deps.db, verb, (tx) => forget(tx, before, deps));
  };
}
