type DatabaseError = { code?: string | undefined; syscall?: string | undefined; message: string };

/** PostgreSQL's own, node's for a lost connection, and node-postgres' messages. */
const codes =
  /^(08|53|57P|57014|25006)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const messages =
  /^Connection terminated|^timeout exceeded when trying to connect|^Query read timeout$|^timeout expired$|is not queryable$|is not currently accepting connections$/;

/**
 * Whether PostgreSQL can't be used for the moment: SQLSTATE classes 08, 53, 57P, 57014, and 25006 of a primary that has
 * become a replica; lost connections, timeouts, and whatever keeps an address from being found or connected to; and, by
 * its message because 55000 has other causes too, a database that takes no connections.
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

/** Whether a replica could not finish a read that the primary can: it was lost, or replays what the read needs. */
export function isReplicaFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  // A read that takes too long would on the primary too.
  if (code === "57014" || code === "25006") return false;
  return code === "40001" || code === "40P01" || isDatabaseUnavailable(error);
}
