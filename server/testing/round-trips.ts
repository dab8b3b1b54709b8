import type pg from "pg";

/** Statements sent together count as one round trip. */
export function countRoundTrips(pool: pg.Pool): () => number {
  let count = 0;
  const counted = new WeakSet<pg.PoolClient>();
  pool.on("acquire", (client) => {
    if (counted.has(client)) return;
    counted.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    let running = 0;
    const end = () => {
      running -= 1;
    };
    const countedQuery = (...given: unknown[]) => {
      if (running === 0) count += 1;
      running += 1;
      const answer = query(...given);
      answer.then(end, end);
      return answer;
    };
    Object.assign(client, { query: countedQuery });
  });
  return () => count;
}
