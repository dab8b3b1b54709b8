import pg from "pg";

/** PostgreSQL's `read_only_sql_transaction`: a write on a replica, such as a former primary. */
const readOnly = "25006";

/**
 * Closes all connections of the pool as soon as one finds that its server is read-only or silent.
 * After a failover, new connections reach the new primary, but open ones stay with the old primary.
 * Otherwise, each open connection would fail one request. If the old host is gone, each of these
 * requests would fail only after seconds.
 */
export function leaveLostServers(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  const busy = new Set<pg.PoolClient>();
  let leaving = new WeakSet<pg.PoolClient>();

  const leave = () => {
    leaving = new WeakSet(busy);
    // The pool drops an idle connection when its socket is destroyed.
    for (const client of idle) client.connection.stream.destroy();
  };
  pool.on("connect", (client) => {
    client.connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === readOnly) leave();
    });
  });
  pool.on("acquire", (client) => {
    idle.delete(client);
    busy.add(client);
  });
  pool.on("release", (_, client) => {
    busy.delete(client);
    const isSilent = hasActiveQuery(client);
    if (isSilent) leave();
    if (isSilent || leaving.has(client)) void client.end();
    else idle.add(client);
  });
  pool.on("remove", (client) => idle.delete(client));
}

/** Whether the connection still runs a timed-out query. If so, it must not be reused (pg 8.23). */
function hasActiveQuery(client: pg.PoolClient): boolean {
  return client instanceof pg.Client && "_activeQuery" in client && client._activeQuery !== null;
}
