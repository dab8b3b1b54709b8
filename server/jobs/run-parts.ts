/** Runs one part of a job. */
export type Attempt = (part: () => Promise<unknown>) => Promise<void>;

/**
 * Runs a job of many parts, of which none stops another: what fails is thrown at the end as one `AggregateError`, with the
 * reasons in its message, since the log shows only messages ("2 not settled: …").
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
