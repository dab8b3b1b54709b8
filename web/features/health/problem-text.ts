import type { HealthProblem } from "#contract/health.ts";

export const problemText: Record<HealthProblem, string> = {
  errors: "More than 2% of requests fail on our side. The server's log says why.",
  diskFull:
    "A disk is full, or less than a tenth of it is free. Delete old backups and logs, or get a larger one.",
  eventLoop: "This server is too busy to answer in time. It needs another one beside it.",
  connections: "Requests are waiting for a connection to the database.",
  replicas: "A replica of the database is late or can't be read. See the table below.",
  cache: "Changes to public pages can't be read, so every page is rendered from scratch.",
  services: "A hosted service keeps failing. See the table below.",
  jobsLate: "Jobs are waiting too long. See the table below.",
  jobsGivenUp: "Some jobs failed so often that they won't be tried again. See the table below.",
  overdueHolds: "Unpaid holds didn't end in time.",
  refundsSentBack: "A bank sent a refund back. We're trying again.",
  ledgerDifferences: "The ledger and the card provider disagree. The Ledger page has the details.",
  ledgerNotCompared: "The ledger wasn't compared with the card provider last night.",
  backupLate:
    "The shop hasn't been backed up for 30 hours. Run npm run backup, and see why the nightly one failed.",
};
