type DatabaseError = { code?: string | undefined; syscall?: string | undefined; message: string };

/** PostgreSQL's codes, and Node's for a lost connection. */
const codes =
  /^(08|53|57P|57014|25006)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const messages =
  /^Connection terminated|^timeout exceeded when trying to connect|^Query read timeout$|^timeout expired$|is not queryable$|is not currently accepting connections$/;

/**
 * Whether PostgreSQL is temporarily unavailable. SQLSTATE: classes 08, 53 and 57P, 57014, and 25006
 * if a primary has become a replica. Network: lost connections, timeouts, and addresses that can't
 * be found or reached. A database that accepts no connections is recognized by its message, because
 * 55000 has other causes too.
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

/** Whether a read failed only on the replica, because of its loss or a replay conflict. */
export function isReplicaFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  // These would fail on the primary too, such as a read that takes too long.
  if (code === "57014" || code === "25006") return false;
  return code === "40001" || code === "40P01" || isDatabaseUnavailable(error);
}
