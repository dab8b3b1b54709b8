import { readConfig } from "../config.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { startEmbeddedPostgres } from "../db/embedded-postgres/embedded-postgres.ts";
import { AppError } from "../errors.ts";
import { redact, redactConsole } from "../http/logging.ts";

/** A running shop may be using the same database. */
export async function withDatabase<T>(use: (db: Database["db"]) => Promise<T>): Promise<T> {
  const config = readConfig();
  const postgres =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, shared: true })
      : undefined;
  const { db, pool } = openDatabase(
    config.databaseDirectUrl ?? config.databaseUrl ?? postgres?.url ?? "",
    {
      connections: 1,
      // Long, because only the operator waits for a command.
      statementTimeoutMs: 120_000,
    },
  );
  try {
    return await use(db);
  } finally {
    await pool.end();
    await postgres?.stop();
  }
}

export async function runCommand(command: (args: string[]) => Promise<string>): Promise<void> {
  redactConsole();
  try {
    process.stdout.write(`${await command(process.argv.slice(2))}\n`);
  } catch (error) {
    // Our own messages contain only what the operator typed. Other errors may contain addresses.
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${error instanceof AppError ? message : redact(message)}\n`);
    process.exitCode = 1;
  }
}
