import { type Config, readConfig } from "../config.ts";
import { openDatabase, type Tx } from "../db/database.ts";
import { startEmbeddedPostgres } from "../db/embedded-postgres/embedded-postgres.ts";
import { AppError } from "../errors.ts";
import { failureReason, redact, redactConsole } from "../http/logging.ts";

type Target = Pick<Config, "dataDir" | "databaseUrl" | "databaseDirectUrl">;

/** If `shared`, the database must exist, and a running shop may be using it. */
export async function withDatabaseUrl<T>(
  { dataDir, databaseUrl, databaseDirectUrl }: Target,
  use: (url: string) => Promise<T>,
  { shared = true } = {},
): Promise<T> {
  const given = databaseDirectUrl ?? databaseUrl;
  if (given !== undefined) return await use(given);
  const postgres = await startEmbeddedPostgres({ dataDir, shared });
  return await use(postgres.url).finally(() => postgres.stop());
}

export async function withDatabase<T>(use: (db: Tx) => Promise<T>): Promise<T> {
  return await withDatabaseUrl(readConfig(), async (url) => {
    // Long, because only the operator waits for a command.
    const { db, pool } = openDatabase(url, { connections: 1, statementTimeoutMs: 120_000 });
    return await use(db).finally(() => pool.end());
  });
}

export async function runCommand(command: (args: string[]) => Promise<string>): Promise<void> {
  redactConsole();
  try {
    process.stdout.write(`${await command(process.argv.slice(2))}\n`);
  } catch (error) {
    // Our own messages contain only what the operator may see. Others may contain email addresses.
    // Connecting to a host with several addresses can throw an `AggregateError` without a message.
    const message = (error instanceof Error && error.message) || failureReason(error);
    process.stderr.write(`${error instanceof AppError ? message : redact(message)}\n`);
    process.exitCode = 1;
  }
}
