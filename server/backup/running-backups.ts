import pg from "pg";

/** Key of an advisory lock. The lock ends with the connection, even if a backup is interrupted. */
const key = "hashtextextended('running backups', 0)";

/** Marks a backup as running until the connection ends. */
export async function markAsRunning(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${key})`);
}

/** Runs `work` unless a backup of this shop is running. No backup starts before `work` ends. */
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
