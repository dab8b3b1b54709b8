import { AsyncLocalStorage } from "node:async_hooks";

type DatabaseError = { code?: string | undefined; syscall?: string | undefined; message: string };

/** PostgreSQL's codes for an unavailable database, and Node's codes for a lost connection. */
const codes =
  /^(08|53|57P|57014|25006)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const messages =
  /^Connection terminated|^timeout exceeded when trying to connect|^Query read timeout$|^timeout expired$|is not queryable$|is not currently accepting connections$/;

/**
 * Whether an error means that PostgreSQL is temporarily unavailable. SQLSTATEs: all that start with
 * 08, 53 or 57P; 57014; and 25006, which is a write on a replica. Network errors: lost connections,
 * timeouts, and unknown or unreachable hosts. The error from a database that accepts no connections
 * is recognized by its message, because code 55000 has other causes too.
 */
export function isDatabaseUnavailable({
  code = "",
  syscall = "",
  message,
}: DatabaseError): boolean {
  return (
    codes.test(code) || syscall === "connect" || syscall === "getaddrinfo" || messages.test(message)
  );
}

/** Whether a read failed only because its replica is down or canceled the read. */
export function isReplicaFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  // Errors that would happen on the primary too, such as a read that takes too long.
  if (code === "57014" || code === "25006") return false;
  return code === "40001" || code === "40P01" || isDatabaseUnavailable(error);
}

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
