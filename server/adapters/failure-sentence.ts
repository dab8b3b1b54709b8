import { redact } from "../http/logging.ts";

/**
 * Uses the cause of an error, because the error's own message is a sentence for visitors. An
 * `AggregateError` has one error for each address that was tried.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error.message;
}

/** Returns the reason for a failure, in one line without secrets. */
export function failureReason(error: unknown): string {
  return redact(reasonOf(error)).split("\n", 1)[0]?.replace(/\.$/, "") ?? "";
}

/**
 * Returns the reason for a failure and the settings to check: `failed: connect ECONNREFUSED
 * 127.0.0.1:5432. See DATABASE_URL.`
 */
export function failureSentence(error: unknown, settings: string): string {
  return `failed: ${failureReason(error)}. See ${settings}.`;
}
