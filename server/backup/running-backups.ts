import pg from "pg";

/** An advisory lock. It ends with the connection, so an interrupted backup does not hold it. */
const key = "hashtextextended('running backups', 0)";

/** Counts a backup as running until its connection ends. */
export async function markAsRunning(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${key})`);
}

/** Runs `work` unless a backup of this shop is running. None starts before `work` ends. */
export async function unlessBackupRuns(url: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ isFree: boolean }>(
      `select pg_try_advisory_lock(${key}) as "isFree"`,
    );
    if (rows[0]?.isFree) await work();
  } finally {
    await client.end();
  }
}
