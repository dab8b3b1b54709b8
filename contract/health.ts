import { z } from "zod";
import { acknowledged, call, date } from "./call.ts";

const count = z.number().int().nonnegative();
const seconds = z.number().nonnegative();

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

/** The process that handled the call. Counts start at `since`, about five minutes ago at most. */
const nodeHealth = z.object({
  since: date,
  requests: count,
  /** Responses with a 5xx status. */
  errors: count,
  /** Requests that took over a second. */
  slow: count,
  cacheHits: count,
  cacheMisses: count,
  /** False while the process can't read changes: the public cache is off. */
  cacheCurrent: z.boolean(),
  /** How late timers run, as a 99th percentile. */
  eventLoopDelay: seconds,
  connections: z.object({ busy: count, most: count, waiting: count }),
  /** Sizes are null without a data folder. `refused`: requests that failed for lack of space. */
  disk: z.object({ freeBytes: count.nullable(), bytes: count.nullable(), refused: count }),
  /** Replicas for calls marked `replica`. `isPrimary`: it is the primary itself. */
  replicas: z.array(
    z.object({
      name: z.string(),
      isUsed: z.boolean(),
      isPrimary: z.boolean(),
      /** Null if the replica doesn't answer or is a primary. */
      lateSeconds: seconds.nullable(),
    }),
  ),
  /** `failed` includes calls that were not sent because too many were pending. */
  services: z.array(
    z.object({ service: z.enum(services), answered: count, refused: count, failed: count }),
  ),
});

const shopHealth = z.object({
  jobs: z.array(
    z.object({
      task: z.string(),
      due: count,
      dueSeconds: seconds,
      retried: count,
      givenUp: count,
    }),
  ),
  holds: count,
  overdueHolds: count,
  refundsSentBack: count,
  ledgerDifferences: count,
  ledgerComparedHoursAgo: z.number().nullable(),
  /**
   * Since the last comparison. Before the first: since the first payment or the installation,
   * whichever is later; null without payments.
   */
  ledgerUncomparedHours: z.number().nullable(),
  backedUpHoursAgo: z.number().nullable(),
  /** Since the last backup, or since the installation if there was none. */
  withoutBackupHours: z.number(),
});

/** Shown to owners. The thresholds are those in `deploy/prometheus/alerts.yml`. */
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

export const readHealth = call("GET /health", {
  access: "owner",
  summary: "How the server that answers is, what waits in the whole shop, and what needs a look",
  reads: [],
  answers: { 200: health },
  refusals: ["UNAVAILABLE"],
});

export const retryJobs = call("PUT /health/jobs", {
  access: "owner",
  summary: "Try the jobs again that were given up because they failed too often",
  changes: [],
  limit: { max: 60, minutes: 60 },
  answers: { 200: acknowledged.extend({ modifiedCount: count }) },
});
