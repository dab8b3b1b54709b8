import { openDatabase } from "#server/db/database.ts";
import { startEmbeddedPostgres } from "#server/db/embedded-postgres/embedded-postgres.ts";
import type { Visitor } from "./members.ts";

/** Lets eleven minutes pass since somebody signed in, wherever they are. */
export async function ageSessionsOf({ email }: Visitor): Promise<void> {
  const dataDir = String(process.env.E2E_DATA_DIR);
  const postgres = await startEmbeddedPostgres({ dataDir, shared: true });
  const { pool } = openDatabase(postgres.url, { connections: 1 });
  await pool.query(
    `update identity.session set "createdAt" = now() - interval '11 minutes'
     where "userId" = (select id from identity.user where email = $1)`,
    [email],
  );
  await pool.end();
  await postgres.stop();
}
