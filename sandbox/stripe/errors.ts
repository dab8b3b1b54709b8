/** The `error` object of Stripe's answers (https://docs.stripe.com/api/errors). */
export type StripeErrorBody = {
  type: "invalid_request_error" | "card_error" | "idempotency_error" | "api_error";
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: object;
};

/** What an API call answers: its status, its JSON, and how late, in milliseconds, it is sent. */
export type Answer = { status: number; body: object; lateBy?: number };

/** A call that Stripe would refuse; the work it asked for is not done. */
export class StripeRefusal extends Error {
  readonly answer: Answer;

  constructor(status: number, error: StripeErrorBody) {
    super(error.message);
    this.answer = { status, body: { error } };
  }
}

/** Refuses what was asked for in a way Stripe calls an invalid request, with status 400. */
export function invalidRequest(message: string, details: Partial<StripeErrorBody> = {}) {
  return new StripeRefusal(400, { type: "invalid_request_error", message, ...details });
}

/** Refuses an id that names nothing, with status 404. */
export function noSuch(kind: string, id: string) {
  return new StripeRefusal(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param: kind === "payment_intent" ? "intent" : kind,
  });
}

/** The JSON Stripe sends with a status that has nothing to do with the request itself. */
export function errorFor(status: number): { error: StripeErrorBody } {
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
