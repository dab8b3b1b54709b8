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

/** The process that handled the call. Counts start at `since`, at most about five minutes ago. */
const nodeHealth = z.object({
  since: date,
  requests: count,
  /** Responses with a 5xx status. */
  errors: count,
  /** Requests that took over a second. */
  slow: count,
  cacheHits: count,
  cacheMisses: count,
  /** Whether the public cache is in use. The cache is off while the process can't read changes. */
  cacheCurrent: z.boolean(),
  /** How late timers run, as a 99th percentile. */
  eventLoopDelay: seconds,
  connections: z.object({ busy: count, most: count, waiting: count }),
  /** Sizes are null without a data folder. `refused`: requests that failed for lack of space. */
  disk: z.object({ freeBytes: count.nullable(), bytes: count.nullable(), refused: count }),
  /** Replicas for calls marked `replica`. `isPrimary`: the replica has become the primary. */
  replicas: z.array(
    z.object({
      name: z.string(),
      isUsed: z.boolean(),
      isPrimary: z.boolean(),
      /** Null if the replica doesn't answer or doesn't replay changes. */
      lateSeconds: seconds.nullable(),
    }),
  ),
  /** Services that were called. `failed` includes calls not sent because too many were pending. */
  services: z.array(
    z.object({ service: z.enum(services), answered: count, refused: count, failed: count }),
  ),
});

/** Pending work and problems of the whole shop. */
const shopHealth = z.object({
  jobs: z.array(
    z.object({
      task: z.string(),
      due: count,
      /** How long the oldest due job has waited. */
      dueSeconds: seconds,
      retried: count,
      givenUp: count,
    }),
  ),
  holds: count,
  overdueHolds: count,
  refundsSentBack: count,
  ledgerDifferences: count,
  /** Null if the ledger was never compared with the card provider. */
  ledgerComparedHoursAgo: z.number().nullable(),
  /**
   * Hours since the last comparison. Before the first comparison, hours since the first payment or
   * the installation, whichever is later. Null without payments.
   */
  ledgerUncomparedHours: z.number().nullable(),
  /** Null if the shop was never backed up. */
  backedUpHoursAgo: z.number().nullable(),
  /** Hours since the last backup, or since the installation if there was no backup. */
  withoutBackupHours: z.number(),
});

/** Problems shown to admins. The thresholds are those in `deploy/prometheus/alerts.yml`. */
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
  access: "owner",
  summary: "How the server that answers is, what waits in the whole shop, and what needs a look",
  reads: [],
  answers: { 200: health },
  refusals: ["UNAVAILABLE"],
});

export const retryJobs = call({
  method: "PUT",
  path: "/health/jobs",
  access: "owner",
  summary: "Try the jobs again that were given up because they failed too often",
  changes: [],
  limit: { most: 60, minutes: 60 },
  answers: { 200: acknowledged.extend({ modifiedCount: count }) },
  refusals: [],
});
