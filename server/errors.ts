import { type ErrorBody, type ErrorCode, errorStatus } from "#contract/errors.ts";

/** `message` is a sentence that the caller can act on. `fields` has messages for invalid fields. */
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

  get body(): ErrorBody {
    const { code, message, fields } = this;
    return { message, code, ...(fields && { fields }) };
  }
}

/** For `executeTakeFirstOrThrow`: the error if there is no row. */
export function orNotFound(message: string) {
  return () => new AppError("NOT_FOUND", message);
}

/** An error that the form shows at one of its fields. */
export function fieldError(field: string, message: string, code: ErrorCode = "INVALID_INPUT") {
  return new AppError(code, message, { [field]: message });
}

/** `retryAfter` is in seconds. */
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

  override get body(): ErrorBody {
    return { ...super.body, holds: this.holds };
  }
}

/** The shop is overloaded, closed, or can't read its settings. `retryAfter` is in seconds. */
export class Overloaded extends AppError {
  readonly retryAfter: number;

  constructor(message: string, seconds: number, code: "UNAVAILABLE" | "CLOSED" = "UNAVAILABLE") {
    super(code, message);
    this.retryAfter = seconds;
  }
}
