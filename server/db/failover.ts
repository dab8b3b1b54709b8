import type pg from "pg";

/** PostgreSQL's `read_only_sql_transaction`: the server has become a replica, or always was one. */
const readOnly = "25006";

/**
 * Closes every connection of the pool once one of them answers that its server takes no writes: after a failover the
 * address of the database leads new connections to the new primary, while open ones may stay with the old one.
 */
export function leaveReadOnlyServers(pool: pg.Pool): void {
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
    if (leaving.has(client)) void client.end();
    else idle.add(client);
  });
  pool.on("remove", (client) => idle.delete(client));
}
