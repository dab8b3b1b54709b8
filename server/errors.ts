import { type ErrorCode, errorStatus } from "#contract/errors.ts";

/** A refusal the caller can act on: a code of the contract, a sentence, and messages by field. */
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

/** A refusal that ends by itself, so many seconds from now. */
export class TooManyRequests extends AppError {
  readonly retryAfter: number;

  constructor(seconds: number, message = tooOften(seconds)) {
    super("TOO_MANY_REQUESTS", message);
    this.retryAfter = seconds;
  }
}

function tooOften(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return `That was too often. Please wait ${wait} and try again.`;
}

/** A refusal because too much waits already; it may be asked again so many seconds from now. */
export class Overloaded extends AppError {
  readonly retryAfter: number;

  constructor(message: string, seconds: number) {
    super("UNAVAILABLE", message);
    this.retryAfter = seconds;
  }
}

/** Whether a database error is the violation of this constraint or unique index. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === constraint;
}

/** One error for many that held up no other; it says why each failed, for a log that reads messages alone. */
export function aggregateErrors(done: string, failures: unknown[]): AggregateError {
  const reasons = failures.slice(0, 10).map((failure) => String(failure));
  return new AggregateError(failures, `${failures.length} not ${done}: ${reasons.join("; ")}`);
}
