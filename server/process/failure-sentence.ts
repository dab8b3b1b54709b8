import { redact } from "../http/logging.ts";

/**
 * The cause says more than the sentence for visitors. An `AggregateError` has an error for each
 * address that was tried.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error.message;
}

/** Why something can't be used, in one line without secrets. */
export function failureReason(error: unknown): string {
  return redact(reasonOf(error)).split("\n", 1)[0]?.replace(/\.$/, "") ?? "";
}

/**
 * Adds the settings that the operator should check:
 * `failed: connect ECONNREFUSED 127.0.0.1:5432. See DATABASE_URL.`
 */
export function failureSentence(error: unknown, settings: string): string {
  return `failed: ${failureReason(error)}. See ${settings}.`;
}
