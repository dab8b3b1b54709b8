import { AsyncLocalStorage } from "node:async_hooks";

type DatabaseError = { code?: string | undefined; syscall?: string | undefined; message: string };

/** SQLSTATEs 08…, 53… and 57P…, canceled queries, writes on a replica, and network errors. */
const codes =
  /^(08|53|57P|57014|25006)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const messages =
  /^Connection terminated|^timeout exceeded when trying to connect|^Query read timeout$|^timeout expired$|is not queryable$|is not currently accepting connections$/;

/**
 * Whether the error means that the database is unavailable. Code 55000 has many causes, so the
 * message identifies a database that refuses connections.
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
  return isConflict(error) || isDatabaseUnavailable(error);
}

/** Whether the replica canceled a read, because replay removed rows that the read needed. */
export function isConflict(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === "40001" || code === "40P01";
}

const current = new AsyncLocalStorage<{ outage?: unknown }>();

/** Stores an outage for `throwOutage`, and ignores other errors. */
export function recordOutage(error: unknown): void {
  const met = current.getStore();
  if (met && error instanceof Error && isDatabaseUnavailable(error)) met.outage ??= error;
}

/** Throws the outage even if third-party code in `work` turns it into another error response. */
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
