import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "#server/db/embedded-postgres/embedded-postgres.ts";
import {
  env,
  findPrograms,
  run,
  unprivilegedAccount,
} from "#server/db/embedded-postgres/programs.ts";
import { migrate } from "#server/db/migrate.ts";

export type Cluster = {
  url: string;
  /** Runs `pg_ctl` as PostgreSQL's account. */
  control(...command: string[]): Promise<void>;
  /** Ends connections by a `like` pattern for `application_name`. Returns how many. */
  terminate(applicationName: string): Promise<number>;
  connections(applicationName: string): Promise<number>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export async function openCluster(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Cluster> {
  await (await startEmbeddedPostgres({ dataDir, settings })).stop();
  // Unless `shared`, PostgreSQL would be restarted after a test stops the cluster.
  const open = () => startEmbeddedPostgres({ dataDir, settings, shared: true });
  let postgres = await open();
  await migrate(postgres.url);

  const account = await unprivilegedAccount();
  const programs = await findPrograms(account);
  const inside = { ...account, cwd: join(dataDir, "postgres"), env };
  const control = async (...command: string[]) => {
    const where = ["-D", account ? "/proc/self/cwd" : inside.cwd, "-l", "/dev/null"];
    await run(join(programs.folder, "pg_ctl"), [...command, "-w", ...where], inside);
  };
  const ask = async (query: string, applicationName: string) => {
    const client = new pg.Client({ connectionString: postgres.url, application_name: "saboteur" });
    await client.connect();
    const { rowCount } = await client.query(query, [applicationName]);
    await client.end();
    return rowCount ?? 0;
  };
  const found =
    "from pg_stat_activity where application_name like $1 and datname = current_database()";
  return {
    url: postgres.url,
    control,
    terminate: (name) => ask(`select pg_terminate_backend(pid) ${found}`, name),
    connections: (name) => ask(`select ${found}`, name),
    async start() {
      await postgres.stop();
      postgres = await open();
    },
    async stop() {
      await postgres.stop();
      // After `pg_ctl restart`, PostgreSQL is no longer our child process.
      await control("stop", "-m", "immediate").catch(() => {});
    },
  };
}
