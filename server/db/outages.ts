import { AsyncLocalStorage } from "node:async_hooks";
import { isDatabaseUnavailable } from "./unavailable.ts";

const current = new AsyncLocalStorage<{ outage?: unknown }>();

/** Stores an error for `throwOutage` if the error means that the database is unavailable. */
export function recordOutage(error: unknown): void {
  const met = current.getStore();
  if (met && error instanceof Error && isDatabaseUnavailable(error)) met.outage ??= error;
}

/**
 * Runs third-party code that turns database errors into its own errors, such as 403. If the code
 * fails because the database is unavailable, throws the database error instead.
 */
export async function throwOutage<T>(
  work: () => Promise<T>,
  isFailure: (result: T) => boolean,
): Promise<T> {
  const met: { outage?: unknown } = {};
  const result = await current.run(met, work).catch((error: unknown) => {
    throw met.outage ?? error;
  });
  if (met.outage !== undefined && isFailure(result)) throw met.outage;
  return result;
}
