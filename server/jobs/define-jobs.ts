import type { Deps } from "../deps.ts";

/** Payloads are JSON. */
type Job<Payload> = {
  run(deps: Deps, payload: Payload): Promise<unknown>;
  /** `at`: cron, in UTC. Without a schedule, a job has `maxAttempts` (jobs/job-queue.ts). */
  schedule?: { at: string; attempts: number };
  /** The job calls the card or identity provider. Other due jobs run before it. */
  callsProvider?: true;
  /** Each node runs at most one such job at a time, in a separate runner: no other job waits. */
  oneAtATime?: true;
};

// biome-ignore lint/suspicious/noExplicitAny: the payload of any job
export type Jobs = Record<string, Job<any>>;

/** `{}` for a job without a payload. */
export type Payloads<J extends Jobs> = {
  [Name in keyof J]: Parameters<J[Name]["run"]> extends [unknown, infer Payload, ...unknown[]]
    ? Payload
    : Record<string, never>;
};

export const everyMinute = { at: "* * * * *", attempts: 1 };

/** Checks the jobs in `server/all-jobs.ts`, which derives the types of `enqueue` from them. */
export function defineJobs<const J extends Jobs>(jobs: J): J {
  return jobs;
}

export type Attempt = (part: () => Promise<unknown>) => Promise<void>;

/** Runs all parts, then throws if any failed. The message, for the log, has up to ten reasons. */
export async function runParts(
  done: string,
  run: (attempt: Attempt) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  await run(async (part) => {
    await part().catch((error: unknown) => failures.push(error));
  });
  if (failures.length === 0) return;
  const reasons = failures.slice(0, 10).map((failure) => String(failure));
  throw new AggregateError(failures, `${failures.length} not ${done}: ${reasons.join("; ")}`);
}
