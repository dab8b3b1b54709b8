/** See https://docs.stripe.com/api/errors. */
export type StripeErrorBody = {
  type: "invalid_request_error" | "card_error" | "idempotency_error" | "api_error";
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: object;
};

/** `delayMs` delays the response. The work is committed before the delay. */
export type ApiResponse = { status: number; body: object; delayMs?: number };

/** Thrown before anything is written. */
export class StripeApiError extends Error {
  readonly response: ApiResponse;

  constructor(status: number, error: StripeErrorBody) {
    super(error.message);
    this.response = { status, body: { error } };
  }
}

export function invalidRequest(message: string, details: Partial<StripeErrorBody> = {}) {
  return new StripeApiError(400, { type: "invalid_request_error", message, ...details });
}

export function resourceMissing(kind: string, id: string) {
  return new StripeApiError(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param: kind === "payment_intent" ? "intent" : kind,
  });
}

export function errorBodyFor(status: number, code?: string): { error: StripeErrorBody } {
  if (code !== undefined)
    return { error: { type: "invalid_request_error", code, message: `Refused: ${code}.` } };
  if (status === 429) {
    const message = "Too many requests hit the API too quickly.";
    return { error: { type: "invalid_request_error", code: "rate_limit", message } };
  }
  if (status === 409) {
    const message = "There is currently another in-progress request using this Idempotency-Key.";
    return { error: { type: "idempotency_error", code: "idempotency_key_in_use", message } };
  }
  const message = "An unknown error occurred.";
  return { error: { type: status < 500 ? "invalid_request_error" : "api_error", message } };
}

/** Thrown before anything is written. */
export class V2Error extends Error {
  readonly response: ApiResponse;

  constructor(status: number, error: { code: string; message: string }) {
    super(error.message);
    this.response = { status, body: { error } };
  }
}

export function badRequest(code: string, message: string): V2Error {
  return new V2Error(400, { code, message });
}

export function notFound(message: string): V2Error {
  return new V2Error(404, { code: "not_found", message });
}
