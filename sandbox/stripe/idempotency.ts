import { createHash } from "node:crypto";
import { type ApiResponse, StripeApiError } from "./errors.ts";
import type { Store } from "./store.ts";

type IdempotentRequest = {
  key: string | undefined;
  method: string;
  path: string;
  params: object;
};

/**
 * Stores the response, even a failure, in the work's transaction. As at Stripe, validation errors
 * are not stored: they occur earlier.
 */
export function runIdempotent(
  store: Store,
  call: IdempotentRequest,
  work: () => ApiResponse,
): ApiResponse & { replayed: boolean } {
  const { key } = call;
  return store.transaction(() => {
    if (key === undefined) return { ...attempt(work), replayed: false };
    const request = hashRequest(call);
    const stored = store.findResponse(key);
    if (!stored) {
      const response = attempt(work);
      store.saveResponse(key, request, response);
      return { ...response, replayed: false };
    }
    if (stored.request !== request) throw keyReusedError(key);
    return { status: stored.status, body: stored.body, replayed: true };
  });
}

/** `work` throws `StripeApiError` before any write, so the transaction can commit. */
function attempt(work: () => ApiResponse): ApiResponse {
  try {
    return work();
  } catch (error) {
    if (error instanceof StripeApiError) return error.response;
    throw error;
  }
}

function hashRequest({ method, path, params }: IdempotentRequest): string {
  const text = JSON.stringify([method, path, params]);
  return createHash("sha256").update(text).digest("hex");
}

function keyReusedError(key: string): StripeApiError {
  return new StripeApiError(400, {
    type: "idempotency_error",
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}
