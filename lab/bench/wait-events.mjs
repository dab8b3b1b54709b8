/** Samples every 10 ms until stopped. */
export function sampleWaitEvents(pool) {
  const samples = new Map();
  let stopped = false;
  const sampling = (async () => {
    while (!stopped) {
      const next = new Promise((resolve) => setTimeout(resolve, 10));
      const { rows } = await pool.query(query);
      for (const { waits, connections } of rows)
        samples.set(waits, (samples.get(waits) ?? 0) + Number(connections));
      await next;
    }
  })();
  return async () => {
    stopped = true;
    await sampling;
    const all = [...samples.values()].reduce((sum, one) => sum + one, 0);
    const shares = [...samples].map(([name, count]) => [name, Math.round((100 * count) / all)]);
    return shares.filter(([, share]) => share > 0).sort(([, one], [, other]) => other - one);
  };
}

const query = `
  select coalesce(wait_event_type || '/' || wait_event, 'running') as waits, count(*) as connections
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    and (state = 'active' or state like 'idle in transaction%')
  group by 1`;
