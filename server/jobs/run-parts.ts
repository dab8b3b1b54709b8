/** Runs one part of a job. */
export type Attempt = (part: () => Promise<unknown>) => Promise<void>;

/**
 * Runs all parts of a job, even if some fail, and then throws the failures as one `AggregateError`.
 * Its message lists the reasons ("2 not settled: …"), because the log shows only messages.
 */
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
