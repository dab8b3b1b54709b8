import pg from "pg";

/** PostgreSQL's `read_only_sql_transaction`: the server has become a replica, or always was one. */
const readOnly = "25006";

/**
 * Closes all connections of the pool once one of them finds its server read-only or silent. After a
 * failover, new connections reach the new primary, but open ones stay with the old one. Each would
 * fail a request, after seconds if the old host is gone.
 */
export function leaveLostServers(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  const busy = new Set<pg.PoolClient>();
  let leaving = new WeakSet<pg.PoolClient>();

  const leave = () => {
    leaving = new WeakSet(busy);
    // The pool drops an idle connection whose socket is gone.
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

/** Whether a timed-out query is still running. Its connection must not be reused (pg 8.23). */
function hasActiveQuery(client: pg.PoolClient): boolean {
  return client instanceof pg.Client && "_activeQuery" in client && client._activeQuery !== null;
}
