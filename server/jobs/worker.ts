import { setTimeout as wait } from "node:timers/promises";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { FastifyBaseLogger } from "fastify";
import { Logger, type RunnerOptions, type Task } from "graphile-worker";
import type pg from "pg";
import { openDatabase } from "../db/database.ts";
import type { JobName, Jobs } from "../db/job-queue.ts";
import { withRequestId } from "../db/request-id.ts";
import type { Deps } from "../deps.ts";
import { expireHold } from "../features/booking-lifecycle/end-hold.ts";
import { refundPayment } from "../features/booking-lifecycle/refunds.ts";
import { expireCredits } from "../features/credits/expire-credits.ts";
import { sendQueuedEmail } from "../features/email/send-email.ts";
import { refreshFairPrices } from "../features/fair-price/refresh-fair-prices.ts";
import { offerPasswordReset } from "../features/identity/password-reset.ts";
import { removePrivatePhoto } from "../features/images/attach-photos.ts";
import { storeAvifVersions } from "../features/images/avif-versions.ts";
import { removeImage } from "../features/images/unused-images.ts";
import { rewardInvitations } from "../features/invitation-lifecycle/reward-invitations.ts";
import { reconcileLedger } from "../features/ledger-reconciliation/reconcile-ledger.ts";
import { remindOfMeeting } from "../features/meetings/answer-meeting.ts";
import { endHoldsOf } from "../features/members/suspension.ts";
import { mailMessages } from "../features/messages/mail-messages.ts";
import { declineBelowFloor, expireOffer } from "../features/offers/answer-offer.ts";
import { mailOffer } from "../features/offers/mail-offer.ts";
import { foldOverviewDeltas } from "../features/overview/fold-deltas.ts";
import { reconcile } from "../features/payments/reconcile.ts";
import { settleIntent } from "../features/payments/webhook.ts";
import { cleanUp } from "../features/retention/clean-up.ts";
import { keepAuditLog, keepProductViews } from "../features/retention/monthly-partitions.ts";
import { takeReviewSteps } from "../features/reviews/publish-reviews.ts";
import { mailSavedProducts } from "../features/saved-products/mail-saved-products.ts";
import { mailSavedSearches } from "../features/saved-searches/mail-saved-searches.ts";
import { foldSearchCounts } from "../features/search/stored-counts.ts";
import { refreshVocabulary } from "../features/search/vocabulary.ts";
import { indexStaleListings } from "../features/search-index/index-listings.ts";
import { readSellerAccount } from "../features/settlements/record-payouts.ts";
import { recordReversals } from "../features/settlements/record-reversals.ts";
import { refundPart } from "../features/settlements/refund-part.ts";
import { settleDeals } from "../features/settlements/settle-deals.ts";
import { startJobOutbox } from "./job-outbox.ts";
import { type JobRunner, startJobRunner } from "./job-runner.ts";
import { freeLostJobs } from "./lost-jobs.ts";
import { crontab } from "./schedule.ts";

/** How long running jobs may delay the shutdown. */
const timeoutMs = 10_000;

/**
 * Runs the enqueued jobs, and with `cron` those of each minute, hour and day, until it is stopped. Email and
 * AVIF have their own job runners, so payments never wait for them; both run one at a time, emails in the order
 * they were queued.
 */
export async function startWorker(
  deps: Deps,
  pool: pg.Pool,
  { log, cron = true }: { log: FastifyBaseLogger; cron?: boolean },
): Promise<JobRunner> {
  const running = new Set<Promise<unknown>>();
  const { sendMail, encodeAvif, ...others } = tracked(tasksOf(deps), { ...deps, running, log });
  const jobPool = openJobPool(deps.config.databaseDirectUrl ?? pool.options.connectionString);
  const common = runnerOptions(jobPool, log);
  const items = cron ? { crontab } : noCron;
  const runners = [
    await startJobRunner(deps.db, { ...common, taskList: others, concurrency: 4, ...items }, log),
    await startJobRunner(deps.db, { ...common, taskList: { sendMail }, ...oneAtATime }, log),
    await startJobRunner(deps.db, { ...common, taskList: { encodeAvif }, ...oneAtATime }, log),
  ];
  const stopOutbox = startJobOutbox(deps.db, log);
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
      // A runner that gave up does not wait for its jobs, and they use what is closed after this.
      await Promise.race([Promise.allSettled(running), wait(timeoutMs, undefined, { ref: false })]);
      // Last, because a running job may enqueue others.
      await stopOutbox();
      await jobPool.end();
    },
  };
}

/**
 * Connections for Graphile Worker itself, whose commits don't wait for the disk: a job that PostgreSQL forgets
 * to have run, because it crashed, is run again. Never through a pooler: they listen, and keep that setting.
 */
function openJobPool(url = ""): pg.Pool {
  const { pool } = openDatabase(url, { connections: 8 });
  pool.on("connect", (client) => {
    client.query("set synchronous_commit = off").catch(() => {});
  });
  return pool;
}

type Tasks = { [N in JobName]: (payload: Jobs[N]) => Promise<void> };

/** What each job runs. */
export function tasksOf(deps: Deps): Tasks {
  return {
    expireHold: ({ bookingId }) => expireHold(deps, bookingId),
    settleIntent: ({ intentId }) => settleIntent(deps, intentId),
    refundPayment: ({ paymentId }) => refundPayment(deps, paymentId),
    refundPart: ({ refundId }) => refundPart(deps, refundId),
    settleDeals: () => settleDeals(deps),
    readSellerAccount: ({ accountId }) => readSellerAccount(deps, accountId),
    recordReversals: ({ bookingId }) => recordReversals(deps, bookingId),
    sendMail: (email) => sendQueuedEmail(deps, email),
    remindOfMeeting: ({ meetingId }) => remindOfMeeting(deps, meetingId),
    offerPasswordReset: ({ email }) => offerPasswordReset(deps, email),
    encodeAvif: ({ sha256 }) => storeAvifVersions(deps, sha256),
    removeImage: ({ sha256 }) => removeImage(deps, sha256),
    removePrivatePhoto: ({ name }) => removePrivatePhoto(deps, name),
    endHoldsOf: (payload) => endHoldsOf(deps, payload),
    deleteHostedAccount: async ({ accountId }) =>
      await deps.identity.deleteHostedAccount?.(accountId),
    reconcile: () => reconcile(deps),
    reconcileLedger: () => reconcileLedger(deps),
    cleanUp: () => cleanUp(deps),
    keepAuditLog: () => keepAuditLog(deps),
    keepProductViews: () => keepProductViews(deps),
    freeLostJobs: () => freeLostJobs(deps.db),
    foldOverviewDeltas: () => foldOverviewDeltas(deps),
    foldSearchCounts: () => foldSearchCounts(deps),
    indexListings: async () => {
      // Their words are suggested, and corrected to, at once.
      if ((await indexStaleListings(deps)) > 0) await refreshVocabulary(deps);
    },
    refreshVocabulary: () => refreshVocabulary(deps),
    mailSavedProducts: () => mailSavedProducts(deps),
    refreshFairPrices: () => refreshFairPrices(deps),
    mailMessages: () => mailMessages(deps),
    reviewSteps: () => takeReviewSteps(deps),
    expireOffer: ({ offerId }) => expireOffer(deps, offerId),
    declineOffer: ({ offerId }) => declineBelowFloor(deps, offerId),
    mailOffer: (news) => mailOffer(deps, news),
    mailSavedSearches: () => mailSavedSearches(deps),
    rewardInvitations: () => rewardInvitations(deps),
    expireCredits: () => expireCredits(deps),
  };
}

type CarriedId = { requestId?: string };

type Tracking = Pick<Deps, "metrics"> & {
  running: Set<Promise<unknown>>;
  log: FastifyBaseLogger;
};

/** The tasks, measured and logged under the id of the request that enqueued them; `running` holds those under way. */
function tracked(tasks: Tasks, { running, metrics, log }: Tracking): Record<string, Task> {
  const track =
    (name: string, task: Task): Task =>
    async (carried, helpers) => {
      const { requestId = `job-${helpers.job.id}`, ...payload } = carried as CarriedId;
      const began = performance.now();
      const ended = (outcome: "done" | "failed") => {
        const seconds = (performance.now() - began) / 1_000;
        metrics.jobs.ran({ task: name, outcome, seconds });
        log.info({ reqId: requestId, task: name, outcome, seconds }, "job run");
      };
      const done = withRequestId(requestId, () =>
        inJobSpan({ name, requestId }, async () => await task(payload, helpers)),
      );
      running.add(done);
      done.then(
        () => ended("done"),
        () => ended("failed"),
      );
      await done.finally(() => running.delete(done));
    };
  const all = Object.entries(tasks as Record<string, Task>);
  return Object.fromEntries(all.map(([name, task]) => [name, track(name, task)]));
}

/** One trace for each run of a job; its request, whose id it has, ended long ago. Does nothing without tracing. */
function inJobSpan<T>(
  { name, requestId }: { name: string; requestId: string },
  work: () => Promise<T>,
): Promise<T> {
  const attributes = { "secondlap.request_id": requestId };
  const options = { kind: SpanKind.CONSUMER, attributes };
  return trace.getTracer("secondlap").startActiveSpan(`job ${name}`, options, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Without `parsedCronItems` Graphile Worker looks for a file called crontab. */
const noCron = { parsedCronItems: [] };

const oneAtATime = { concurrency: 1, ...noCron };

function runnerOptions(pool: pg.Pool, log: FastifyBaseLogger): RunnerOptions {
  return {
    pgPool: pool,
    noHandleSignals: true,
    // With batches a failed write is an error of the runner; otherwise it would end the process.
    preset: {
      worker: { pollInterval: 1_000, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
    },
    logger: new Logger(() => (level, message) => {
      if (level === "error") log.error(message);
      else if (level === "warning") log.warn(message);
    }),
  };
}
