import { z } from "zod";
import { acknowledged, call, date } from "./call.ts";

const count = z.number().int().nonnegative();
const seconds = z.number().nonnegative();

/** The hosted services that the shop calls. */
export const services = [
  "cards",
  "sign-in",
  "firebase",
  "images",
  "image-host",
  "mail",
  "cdn",
] as const;
export type Service = (typeof services)[number];

/** What the server process that answers has done since `since`, at most about five minutes ago. */
const nodeHealth = z.object({
  since: date,
  requests: count,
  /** Answers that say that something went wrong on our side: 5xx. */
  errors: count,
  /** Took over a second. */
  slow: count,
  cacheHits: count,
  cacheMisses: count,
  /** Whether cached public answers are used: changes of them can be read. */
  cacheCurrent: z.boolean(),
  /** How late timers run at most, but for one in a hundred. */
  eventLoopDelay: seconds,
  connections: z.object({ busy: count, most: count, waiting: count }),
  /** The disk of the data folder; null if there is none. `refused`: requests that failed because a disk was full. */
  disk: z.object({ freeBytes: count.nullable(), bytes: count.nullable(), refused: count }),
  /** Those that public reads may go to; `isPrimary`: it has become the primary. */
  replicas: z.array(
    z.object({
      name: z.string(),
      isUsed: z.boolean(),
      isPrimary: z.boolean(),
      /** Null: it does not answer, or replays nothing. */
      lateSeconds: seconds.nullable(),
    }),
  ),
  /** Those that were called. `failed` includes calls not made because too many waited. */
  services: z.array(
    z.object({ service: z.enum(services), answered: count, refused: count, failed: count }),
  ),
});

/** What waits in the whole shop. */
const shopHealth = z.object({
  jobs: z.array(
    z.object({
      task: z.string(),
      due: count,
      /** How long the oldest due one waits. */
      dueSeconds: seconds,
      retried: count,
      givenUp: count,
    }),
  ),
  holds: count,
  overdueHolds: count,
  refundsSentBack: count,
  ledgerDifferences: count,
  /** Null: it was never compared. */
  ledgerComparedHoursAgo: z.number().nullable(),
  /** The same; if it was never compared, since it could have been. Null: there are no payments. */
  ledgerUncomparedHours: z.number().nullable(),
  /** Null: it was never backed up. */
  backedUpHoursAgo: z.number().nullable(),
  /** The same; if it was never backed up, since it was installed. */
  withoutBackupHours: z.number(),
});

/** What needs a look, as the alert rules have it (deploy/prometheus/alerts.yml). */
export const healthProblems = [
  "errors",
  "diskFull",
  "eventLoop",
  "connections",
  "replicas",
  "cache",
  "services",
  "jobsLate",
  "jobsGivenUp",
  "overdueHolds",
  "refundsSentBack",
  "ledgerDifferences",
  "ledgerNotCompared",
  "backupLate",
] as const;
export type HealthProblem = (typeof healthProblems)[number];

export const health = z.object({
  problems: z.array(z.enum(healthProblems)),
  node: nodeHealth,
  shop: shopHealth,
});

export type Health = z.output<typeof health>;

export const readHealth = call({
  method: "GET",
  path: "/health",
  access: "admin",
  summary: "How the server that answers is, what waits in the whole shop, and what needs a look",
  reads: [],
  answers: { 200: health },
  refusals: ["UNAVAILABLE"],
});

export const retryJobs = call({
  method: "PUT",
  path: "/health/jobs",
  access: "admin",
  summary: "Try the jobs again that were given up because they failed too often",
  changes: [],
  limit: { most: 60, minutes: 60 },
  answers: { 200: acknowledged.extend({ modifiedCount: count }) },
  refusals: [],
});
