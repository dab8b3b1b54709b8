import { type ErrorBody, type ErrorCode, errorStatus } from "#contract/errors.ts";

/** An error for the caller to act on: a code from the contract, a sentence, and field messages. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;

  constructor(code: ErrorCode, message: string, fields?: Record<string, string>) {
    super(message);
    this.code = code;
    this.fields = fields;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** A rate limit was exceeded. The caller may retry after `retryAfter` seconds. */
export class TooManyRequests extends AppError {
  readonly retryAfter: number;

  constructor(seconds: number, message = waitMessage(seconds)) {
    super("TOO_MANY_REQUESTS", message);
    this.retryAfter = seconds;
  }
}

function waitMessage(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return `Too many attempts. Please wait ${wait} and try again.`;
}

/** Several unpaid holds match a payment, so the caller has to name one of them. */
export class AmbiguousHold extends AppError {
  readonly holds: NonNullable<ErrorBody["holds"]>;

  constructor(message: string, holds: NonNullable<ErrorBody["holds"]>) {
    super("BOOKING_NOT_PAYABLE", message);
    this.holds = holds;
  }
}

/** A queue is full, or the shop is closed. The caller may retry after `retryAfter` seconds. */
export class Overloaded extends AppError {
  readonly retryAfter: number;

  constructor(message: string, seconds: number, code: "UNAVAILABLE" | "CLOSED" = "UNAVAILABLE") {
    super(code, message);
    this.retryAfter = seconds;
  }
}

/** Whether an error means that this constraint or unique index was violated. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === constraint;
}
