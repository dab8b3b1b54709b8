import type { HealthProblem } from "#contract/health.ts";
import { ledgerPath } from "#web/admin-paths.ts";
import { paths } from "#web/paths.ts";

type Place = { name: string; to: string };

const deals: Place = { name: "Deals and money", to: "#deals" };
const jobs: Place = { name: "Jobs", to: "#jobs" };
const server: Place = { name: "This server", to: "#server" };

type Problem = {
  what: string;
  /** The next step for an operator. */
  todo: string;
  /** The page or section with the details. */
  place: Place;
};

export const problemTexts: Record<HealthProblem, Problem> = {
  errors: {
    what: "More than 2% of requests fail on our side.",
    todo: "Search the server's log for “request failed”: it names each error.",
    place: server,
  },
  diskFull: {
    what: "A disk is full, or less than a tenth of it is free.",
    todo: "Delete old backups and logs, or get a larger one.",
    place: server,
  },
  eventLoop: {
    what: "This server is too busy to answer in time.",
    todo: "Add another one, or raise WORKERS.",
    place: server,
  },
  connections: {
    what: "Requests are waiting for a connection to the database.",
    todo: "Look for slow statements and locks in PostgreSQL, or add a server.",
    place: server,
  },
  replicas: {
    what: "A replica of the database is late or can't be read.",
    todo: "Check it and the network to it.",
    place: { name: "Replicas", to: "#replicas" },
  },
  cache: {
    what: "Changes to public pages can't be read, so every page is rendered from scratch.",
    todo: "Check this server's connections to the database.",
    place: server,
  },
  services: {
    what: "A hosted service keeps failing.",
    todo: "Run npm run doctor, which says what is wrong.",
    place: { name: "Hosted services", to: "#services" },
  },
  jobsLate: {
    what: "Jobs are waiting too long.",
    todo: "Search the server's log for “job runner ended”, and restart the server if it doesn't recover.",
    place: jobs,
  },
  jobsGivenUp: {
    what: "Some jobs failed so often that they were given up.",
    todo: "Fix the cause, which the server's log names, then press Try again.",
    place: jobs,
  },
  overdueHolds: {
    what: "Unpaid holds didn't end in time.",
    todo: "Check that jobs run and that card payments answer.",
    place: jobs,
  },
  refundsSentBack: {
    what: "A bank sent a refund back.",
    todo: "We'll try twice more. If that fails too, settle it in Payments.",
    place: { name: "Payments", to: paths.payments() },
  },
  ledgerDifferences: {
    what: "The ledger and the card provider disagree.",
    todo: "Look up the payments that the Ledger page names in the provider's dashboard.",
    place: { name: "Ledger", to: ledgerPath() },
  },
  ledgerNotCompared: {
    what: "The ledger wasn't compared with the card provider last night.",
    todo: "The server's log says why the job reconcileLedger failed.",
    place: jobs,
  },
  backupLate: {
    what: "The shop hasn't been backed up for 30 hours.",
    todo: "Run npm run backup, and see why the nightly one failed.",
    place: deals,
  },
};
