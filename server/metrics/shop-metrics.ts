import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { ShopState, WaitingJobs } from "./shop-state.ts";

export function measureShop(registry: Registry): (state: ShopState) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const holds = gauge("secondlap_holds", "Unpaid holds of the shop");
  const overdueHolds = gauge(
    "secondlap_holds_overdue",
    "Unpaid holds of the shop whose time was over five minutes ago",
  );
  const refundsSentBack = gauge(
    "secondlap_refunds_retried",
    "Refunds of the shop, also of parts, that a bank has sent back and that are tried again",
  );
  const ledgerDifferences = gauge(
    "secondlap_ledger_differences",
    "Differences between the ledger and the card provider",
  );
  const compared = gauge(
    "secondlap_ledger_compared_seconds",
    "Since the ledger was last compared with the card provider; if never, since the first payment or the installation, the later; 0 without payments",
  );
  const backupAge = gauge(
    "secondlap_backup_age_seconds",
    "Since the shop was last backed up; if never, since it was installed",
  );
  return (state) => {
    holds.set(state.holds);
    overdueHolds.set(state.overdueHolds);
    refundsSentBack.set(state.refundsSentBack);
    ledgerDifferences.set(state.ledgerDifferences);
    compared.set(state.uncomparedSeconds ?? 0);
    backupAge.set(state.withoutBackupSeconds);
  };
}

type JobRun = { task: string; outcome: "done" | "failed"; seconds: number };

/** This node's finished jobs, and the waiting jobs of the whole shop. */
export class JobMetrics {
  readonly #runs: Counter<"task" | "outcome">;
  readonly #times: Histogram<"task">;
  readonly #gauges: Record<keyof Omit<WaitingJobs, "task">, Gauge<"task">>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#runs = new Counter({
      name: "secondlap_jobs_run_total",
      help: "Jobs that this node has run, by task and outcome: done or failed",
      labelNames: ["task", "outcome"],
      registers,
    });
    this.#times = new Histogram({
      name: "secondlap_job_seconds",
      help: "How long jobs ran, by task",
      labelNames: ["task"],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
      registers,
    });
    const gauge = (name: string, help: string) =>
      new Gauge({ name, help, labelNames: ["task"], registers });
    this.#gauges = {
      due: gauge("secondlap_jobs_due", "Jobs of the shop whose time has come, by task"),
      dueSeconds: gauge(
        "secondlap_job_due_seconds",
        "How long the oldest due job of the shop has waited for its turn, by task",
      ),
      retried: gauge(
        "secondlap_jobs_retried",
        "Jobs of the shop that have failed and will be tried again, by task",
      ),
      retriedSeconds: gauge(
        "secondlap_job_retried_seconds",
        "How long ago the oldest job of the shop that is tried again was enqueued, by task",
      ),
      givenUp: gauge(
        "secondlap_jobs_given_up",
        "Jobs of the shop that failed so often that they are not tried again, by task",
      ),
    };
  }

  ran({ task, outcome, seconds }: JobRun): void {
    this.#runs.inc({ task, outcome });
    this.#times.observe({ task }, seconds);
  }

  setWaiting(tasks: WaitingJobs[]): void {
    for (const [name, gauge] of Object.entries(this.#gauges)) {
      gauge.reset();
      for (const { task, ...values } of tasks)
        gauge.set({ task }, values[name as keyof typeof values]);
    }
  }
}
