import type { FastifyBaseLogger } from "fastify";
import { Logger, type Runner, run, type TaskList } from "graphile-worker";
import type pg from "pg";
import type { Deps } from "./deps.ts";
import { expireHold } from "./features/bookings/holds.ts";
import { offerPasswordReset } from "./features/identity/password-reset.ts";
import { settleIntent } from "./features/payments/payments.ts";
import { reconcile } from "./features/payments/reconcile.ts";
import { refundPayment } from "./features/payments/refunds.ts";
import { forgetOldKeys } from "./idempotency.ts";
import type { JobName, Jobs } from "./jobs.ts";

type Tasks = { [N in JobName]: (payload: Jobs[N]) => Promise<void> };

/** Does the jobs left behind by transactions, and reconciles every minute. */
export async function startWorker(
  deps: Deps,
  pool: pg.Pool,
  log: FastifyBaseLogger,
): Promise<Runner> {
  const tasks: Tasks = {
    expireHold: ({ bookingId }) => expireHold(deps, bookingId),
    settleIntent: ({ intentId }) => settleIntent(deps, intentId),
    refundPayment: ({ paymentId }) => refundPayment(deps, paymentId),
    sendMail: (letter) => deps.mail.send(letter),
    offerPasswordReset: ({ email }) => offerPasswordReset(deps, email),
    reconcile: () => reconcile(deps),
    forgetOldKeys: () => forgetOldKeys(deps),
  };
  const runner = await run({
    pgPool: pool,
    taskList: tasks as TaskList,
    crontab:
      "* * * * * reconcile ?max=1&queue=reconcile&jobKey=reconcile\n17 * * * * forgetOldKeys",
    concurrency: 4,
    pollInterval: 1_000,
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => {
      if (level === "error") log.error(message);
      else if (level === "warning") log.warn(message);
    }),
  });
  // What a crash left between the provider's success and our record is mended at once.
  await runner.addJob(
    "reconcile",
    {},
    { jobKey: "reconcile", queueName: "reconcile", maxAttempts: 1 },
  );
  return runner;
}
