import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import {
  type Health,
  type HealthProblem,
  readHealth,
  retryJobs,
  type Service,
} from "#contract/health.ts";
import { ledgerPath } from "#web/admin-paths.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { type Column, DataTable } from "#web/ui/DataTable.tsx";
import { TextLink } from "#web/ui/Link.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { formatTimeAgo } from "#web/ui/TimeAgo.tsx";
import { toast } from "#web/ui/toast.ts";
import "#web/ui/figures-table.css";

const refreshMs = 15_000;

type Figures = Record<string, string | number>;
type Job = Health["shop"]["jobs"][number];
type Replica = Health["node"]["replicas"][number];
type Called = Health["node"]["services"][number];

const serviceNames: Record<Service, string> = {
  cards: "Card payments",
  "sign-in": "Sign-in provider",
  firebase: "Firebase",
  images: "Photo storage",
  "image-host": "Image host",
  mail: "Email",
  cdn: "CDN",
};

const serviceColumns: Column<Called>[] = [
  { header: "Service", as: "title", cell: ({ service }) => serviceNames[service] },
  { header: "Answered", as: "amount", cell: ({ answered }) => formatCount(answered) },
  { header: "Refused", as: "amount", cell: ({ refused }) => formatCount(refused) },
  { header: "Failed", as: "amount", cell: ({ failed }) => formatCount(failed) },
];

const jobColumns: Column<Job>[] = [
  { header: "Job", as: "title", cell: ({ task }) => task },
  { header: "Due", as: "amount", cell: ({ due }) => formatCount(due) },
  { header: "Oldest", as: "amount", cell: ({ dueSeconds }) => formatSeconds(dueSeconds) },
  { header: "Retrying", as: "amount", cell: ({ retried }) => formatCount(retried) },
  { header: "Given up", as: "amount", cell: ({ givenUp }) => formatCount(givenUp) },
];

const replicaColumns: Column<Replica>[] = [
  { header: "Replica", as: "title", cell: ({ name }) => name },
  { header: "State", cell: replicaState },
  {
    header: "Late",
    as: "amount",
    cell: ({ lateSeconds }) => (lateSeconds === null ? "–" : `${lateSeconds.toFixed(1)} s`),
  },
];

export function HealthReport() {
  const health = useQuery({ ...queryOf(readHealth, {}), refetchInterval: refreshMs });
  return (
    <QueryState query={health} skeleton={<div className="skeleton h-96 rounded-box" />}>
      {({ problems, node, shop }) => (
        <>
          <Problems problems={problems} />
          <Part id="deals" about="The whole shop, right now.">
            <FiguresTable caption="Deals and money" figures={dealFigures(shop)} />
          </Part>
          <Part id="jobs" about="What the shop does in the background, such as sending emails.">
            <WaitingJobs jobs={shop.jobs} />
          </Part>
          <Part id="server" about="In the last five minutes.">
            <FiguresTable caption="This server" figures={nodeFigures(node)} />
          </Part>
          <Replicas replicas={node.replicas} />
          <Part id="services" about="Calls this server made in those five minutes.">
            <CalledServices services={node.services} />
          </Part>
        </>
      )}
    </QueryState>
  );
}

function Replicas({ replicas }: { replicas: Replica[] }) {
  if (replicas.length === 0) return null;
  return (
    <Part id="replicas" about="Servers of the database that public reads may go to.">
      <DataTable
        caption="Replicas"
        columns={replicaColumns}
        rows={replicas.map((replica) => ({ ...replica, _id: replica.name }))}
      />
    </Part>
  );
}

function Problems({ problems }: Pick<Health, "problems">) {
  if (problems.length === 0)
    return <p className="font-medium text-success">Everything looks fine.</p>;
  return (
    <div role="alert">
      <ul className="flex flex-col gap-3">
        {problems.map((problem) => (
          <ProblemItem key={problem} problem={problem} />
        ))}
      </ul>
    </div>
  );
}

function ProblemItem({ problem }: { problem: HealthProblem }) {
  const { what, todo, place } = problemTexts[problem];
  const { name, to } =
    typeof place === "string" ? { name: sections[place], to: `#${place}` } : place;
  return (
    <li className="rounded-box border border-line bg-base-100 px-5 py-4">
      <p className="font-medium text-error">{what}</p>
      <p className="mt-1">
        {todo} <TextLink to={to}>Go to {name}</TextLink>
      </p>
    </li>
  );
}

const sections = {
  deals: "Deals and money",
  jobs: "Jobs",
  server: "This server",
  replicas: "Replicas",
  services: "Hosted services",
};

type Section = keyof typeof sections;

type PartProps = { id: Section; about: string; children: ReactNode };

function Part({ id, about, children }: PartProps) {
  return (
    <section id={id} className="mt-8 scroll-mt-6">
      <h2 className="mb-2 text-heading">{sections[id]}</h2>
      <p className="mb-4 text-muted">{about}</p>
      {children}
    </section>
  );
}

function FiguresTable({ caption, figures }: { caption: string; figures: Figures }) {
  return (
    <div className="rounded-box border border-line bg-base-100 px-5 py-1 shadow-rest">
      <table className="figures-table">
        <caption className="sr-only">{caption}</caption>
        <tbody>
          {Object.entries(figures).map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{typeof value === "number" ? formatCount(value) : value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WaitingJobs({ jobs }: Pick<Health["shop"], "jobs">) {
  const waiting = jobs.filter(({ due, retried, givenUp }) => due + retried + givenUp > 0);
  if (waiting.length === 0) return <p>Nothing is waiting.</p>;
  return (
    <>
      <DataTable
        caption="Jobs"
        columns={jobColumns}
        rows={waiting.map((job) => ({ ...job, _id: job.task }))}
      />
      {waiting.some(({ givenUp }) => givenUp > 0) && <RetryJobs />}
    </>
  );
}

function CalledServices({ services }: Pick<Health["node"], "services">) {
  if (services.length === 0) return <p>No calls yet.</p>;
  return (
    <DataTable
      caption="Hosted services"
      columns={serviceColumns}
      rows={services.map((called) => ({ ...called, _id: called.service }))}
    />
  );
}

function dealFigures(shop: Health["shop"]): Figures {
  const { ledgerComparedHoursAgo: hours, backedUpHoursAgo } = shop;
  return {
    "Unpaid holds": shop.holds,
    "Holds that should have ended": shop.overdueHolds,
    "Refunds sent back by a bank": shop.refundsSentBack,
    "Differences in the ledger": shop.ledgerDifferences,
    "Ledger last compared": hours === null ? "Not yet" : formatHoursAgo(hours),
    "Last backup": backedUpHoursAgo === null ? "None yet" : formatHoursAgo(backedUpHoursAgo),
  };
}

function formatHoursAgo(hours: number): string {
  return formatTimeAgo(hours * 3_600_000);
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

function nodeFigures(node: Health["node"]): Figures {
  const { connections, cacheHits, cacheMisses } = node;
  const asked = cacheHits + cacheMisses;
  return {
    Requests: node.requests,
    "Failed on our side": node.errors,
    "Took over a second": node.slow,
    "Public answers from the cache":
      asked === 0 ? "None yet" : `${Math.round((100 * cacheHits) / asked)}%`,
    "Disk space free": formatDisk(node.disk),
    "Delay when busy": `${Math.round(node.eventLoopDelay * 1_000)} ms`,
    "Database connections in use": `${connections.busy} of ${connections.most}`,
    "Waiting for a connection": connections.waiting,
  };
}

function replicaState({ isUsed, isPrimary }: Replica): string {
  if (isPrimary) return "Primary";
  return isUsed ? "In use" : "Left out";
}

function formatDisk({ freeBytes, bytes }: Health["node"]["disk"]): string {
  if (freeBytes === null || bytes === null) return "–";
  const gigabytes = (size: number) => (size / 1e9).toFixed(1);
  return `${gigabytes(freeBytes)} of ${gigabytes(bytes)} GB`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 1) return "0 s";
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

function RetryJobs() {
  const queries = useQueryClient();
  const retry = useCall(retryJobs, {
    onSuccess: ({ modifiedCount: count }) => {
      toast.success(`${count === 1 ? "1 job" : `${count} jobs`} will be tried again.`);
      return queries.invalidateQueries({ queryKey: [readHealth.path] });
    },
  });
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <Button busy={retry.isPending} onClick={() => retry.mutate({})}>
        Try again
      </Button>
      <p className="text-muted">Runs all given-up jobs again.</p>
    </div>
  );
}

type Problem = {
  what: string;
  todo: string;
  /** The section of this page, or another page, with the details. */
  place: Section | { name: string; to: string };
};

const problemTexts: Record<HealthProblem, Problem> = {
  errors: {
    what: "More than 2% of requests fail on our side.",
    todo: "Search the server's log for “request failed”: it names each error.",
    place: "server",
  },
  diskFull: {
    what: "A disk is full, or less than a tenth of it is free.",
    todo: "Delete old backups and logs, or get a larger one.",
    place: "server",
  },
  eventLoop: {
    what: "This server is too busy to answer in time.",
    todo: "Add another one, or raise WORKERS.",
    place: "server",
  },
  connections: {
    what: "Requests are waiting for a connection to the database.",
    todo: "Look for slow statements and locks in PostgreSQL, or add a server.",
    place: "server",
  },
  replicas: {
    what: "A replica of the database is late or can't be read.",
    todo: "Check it and the network to it.",
    place: "replicas",
  },
  cache: {
    what: "Changes to public pages can't be read, so every page is rendered from scratch.",
    todo: "Check this server's connections to the database.",
    place: "server",
  },
  services: {
    what: "A hosted service keeps failing.",
    todo: "Run npm run doctor, which says what is wrong.",
    place: "services",
  },
  jobsLate: {
    what: "Jobs are waiting too long.",
    todo: "If they are emails, run npm run doctor. Otherwise, search the server's log for “job runner ended”, and restart the server if it doesn't recover.",
    place: "jobs",
  },
  jobsGivenUp: {
    what: "Some jobs failed so often that they were given up.",
    todo: "Fix the cause, which the server's log names, then press Try again.",
    place: "jobs",
  },
  overdueHolds: {
    what: "Unpaid holds didn't end in time.",
    todo: "Check that jobs run and that card payments answer.",
    place: "jobs",
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
    place: "jobs",
  },
  backupLate: {
    what: "The shop hasn't been backed up for 30 hours.",
    todo: "Run npm run backup, and see why the nightly one failed.",
    place: "deals",
  },
};
