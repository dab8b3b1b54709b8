import { setTimeout as wait } from "node:timers/promises";
import type { ConfigWithSecret } from "../config.ts";
import { openDatabase } from "../db/database.ts";
import { isDatabaseUnavailable } from "../db/unavailable.ts";
import { failureReason, failureSentence } from "../http/logging.ts";
import { printError } from "./run-until-signal.ts";

const retryMs = 500;

type Target = { config: ConfigWithSecret; databaseUrl: string };

/**
 * Waits until PostgreSQL and its pooler answer. After a reboot, they may start later than this
 * process. Prints one line about the wait. After four times `DATABASE_TIMEOUT`, throws the message
 * that `npm run doctor` prints.
 */
export async function waitForDatabase({ config, databaseUrl }: Target): Promise<void> {
  const setting = config.databaseUrl === undefined ? "DATA_DIR" : "DATABASE_URL";
  await waitFor(databaseUrl, setting, config.databaseTimeoutMs);
  if (config.databaseDirectUrl !== undefined)
    await waitFor(config.databaseDirectUrl, "DATABASE_DIRECT_URL", config.databaseTimeoutMs);
}

async function waitFor(url: string, setting: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + 4 * timeoutMs;
  const { pool } = openDatabase(url, {
    connections: 1,
    statementTimeoutMs: timeoutMs,
    // This setting works without a pooler too.
    pooled: true,
  });
  try {
    for (let attempt = 1; ; attempt += 1) {
      const error = await pool.query("select 1").then(
        () => undefined,
        (reason: Error) => reason,
      );
      if (!error) return;
      if (!isDatabaseUnavailable(error) || Date.now() > deadline)
        throw new Error(`Database ${failureSentence(error, setting)}`);
      if (attempt === 1)
        printError(
          `Waiting for PostgreSQL, for up to ${(4 * timeoutMs) / 1_000} seconds: ${failureReason(error)}.`,
        );
      await wait(retryMs);
    }
  } finally {
    await pool.end();
  }
}
