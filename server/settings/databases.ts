import { z } from "zod";
import { between, commaSeparated } from "./fields.ts";

const protocol = /^postgres(ql)?$/;
const addresses = "must be addresses that begin with postgres://, with commas between";

/** Settings for PostgreSQL: primary, pooler and replicas (decisions/pooler-and-replicas). */
export const databaseFields = {
  /** At most 40 s, so that a 503 is sent before `httpTimeouts.silence` closes the connection. */
  DATABASE_TIMEOUT: between(5, 40, "seconds").default(15),
  SEARCH_TIMEOUT: between(100, 5_000, "milliseconds").default(500),
  DATABASE_URL: z.url({ protocol }).optional(),
  DATABASE_DIRECT_URL: z.url({ protocol }).optional(),
  DATABASE_REPLICA_URL: commaSeparated
    .pipe(z.array(z.url({ protocol, error: addresses })))
    .default([]),
};

type DatabaseFields = z.output<z.ZodObject<typeof databaseFields>>;

export function databaseProblems(set: DatabaseFields): string[] {
  if (set.DATABASE_URL) return [];
  return [
    set.DATABASE_DIRECT_URL &&
      "DATABASE_DIRECT_URL is PostgreSQL behind the pooler of DATABASE_URL: set both, or DATABASE_URL alone.",
    set.DATABASE_REPLICA_URL.length > 0 &&
      "DATABASE_REPLICA_URL are replicas of DATABASE_URL: set both.",
  ].filter((sentence) => typeof sentence === "string");
}

export function databaseSettings(set: DatabaseFields) {
  return {
    databaseUrl: set.DATABASE_URL,
    /** PostgreSQL's direct URL, if `DATABASE_URL` is a pooler's (decisions/pooler-and-replicas). */
    databaseDirectUrl: set.DATABASE_DIRECT_URL,
    /** The URLs of streaming replicas. */
    databaseReplicaUrls: set.DATABASE_REPLICA_URL,
    databaseTimeoutMs: set.DATABASE_TIMEOUT * 1_000,
    searchTimeoutMs: set.SEARCH_TIMEOUT,
  };
}
