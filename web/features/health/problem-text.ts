import type { HealthProblem } from "#contract/health.ts";
import { paths } from "#web/paths.ts";

/** Describes each problem and what to do about it. */
export const problemText: Record<HealthProblem, string> = {
  errors:
    "More than 2% of requests fail on our side. Search the server's log for “request failed”: it names each error.",
  diskFull:
    "A disk is full, or less than a tenth of it is free. Delete old backups and logs, or get a larger one.",
  eventLoop: "This server is too busy to answer in time. Add another one, or raise WORKERS.",
  connections:
    "Requests are waiting for a connection to the database. Look for slow statements and locks in PostgreSQL, or add a server.",
  replicas: "A replica of the database is late or can't be read. Check it and the network to it.",
  cache:
    "Changes to public pages can't be read, so every page is rendered from scratch. Check this server's connections to the database.",
  services: "A hosted service keeps failing. Run npm run doctor, which says what is wrong.",
  jobsLate:
    "Jobs are waiting too long. Search the server's log for “job runner ended”, and restart the server if it doesn't recover.",
  jobsGivenUp:
    "Some jobs failed so often that they were given up. Fix the cause, which the server's log names, then press Try again.",
  overdueHolds:
    "Unpaid holds didn't end in time. Check that jobs run and that card payments answer.",
  refundsSentBack:
    "A bank sent a refund back. We'll try twice more. If that fails too, settle it in Payments.",
  ledgerDifferences:
    "The ledger and the card provider disagree. Look up the payments that the Ledger page names in the provider's dashboard.",
  ledgerNotCompared:
    "The ledger wasn't compared with the card provider last night. The server's log says why the job reconcileLedger failed.",
  backupLate:
    "The shop hasn't been backed up for 30 hours. Run npm run backup, and see why the nightly one failed.",
};

type Place = { name: string; to: string };

const jobs: Place = { name: "Jobs", to: "#jobs" };

/** The page or section with details about each problem, if the shop has one. */
export const problemPlaces: Partial<Record<HealthProblem, Place>> = {
  replicas: { name: "Replicas", to: "#replicas" },
  services: { name: "Hosted services", to: "#services" },
  jobsLate: jobs,
  jobsGivenUp: jobs,
  overdueHolds: jobs,
  refundsSentBack: { name: "Payments", to: paths.payments() },
  ledgerDifferences: { name: "Ledger", to: "/dashboard/ledger" },
  ledgerNotCompared: jobs,
};
