import { email as emailSchema } from "#contract/text.ts";
import { secondFactorStore } from "../adapters/identity/second-factor-store.ts";
import { type Clock, systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { startEmbeddedPostgres } from "../db/embedded-postgres/embedded-postgres.ts";
import { AppError } from "../errors.ts";
import { changeAdmin } from "../features/members/admins.ts";
import { resetSecondFactor } from "../features/members/reset-second-factor.ts";
import { redact, redactConsole } from "../http/redact.ts";

type Deps = {
  db: Database["db"];
  clock: Clock;
  identity: { secondFactors: typeof secondFactorStore };
};

/** Each returns a sentence that says what happened, or throws one. */
const commands: Record<string, (deps: Deps, email: string) => Promise<string>> = {
  grant: (deps, email) => changeAdmin(deps, { email, isAdmin: true }),
  revoke: (deps, email) => changeAdmin(deps, { email, isAdmin: false }),
  "reset-second-factor": resetSecondFactor,
};

const usage = `Usage: npm run admin -- COMMAND you@example.com   (COMMAND: ${Object.keys(commands).join(", ")})`;

/** `npm run admin`: what the API has no calls for (contract, "How the program is run"). */
async function main([name = "", address]: string[]): Promise<string> {
  const email = emailSchema.safeParse(address);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || !email.success) throw new AppError("BAD_REQUEST", usage);
  const config = readConfig();
  const postgres =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, shared: true })
      : undefined;
  const { db, pool } = openDatabase(config.databaseUrl ?? postgres?.url ?? "", {
    connections: 1,
    // Nobody waits for it but the operator.
    statementTimeoutMs: 120_000,
  });
  try {
    return await command(
      { db, clock: systemClock, identity: { secondFactors: secondFactorStore } },
      email.data,
    );
  } finally {
    await pool.end();
    await postgres?.stop();
  }
}

redactConsole();
try {
  process.stdout.write(`${await main(process.argv.slice(2))}\n`);
} catch (error) {
  // Our own sentences repeat the address that was typed; other errors may name anybody's.
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof AppError ? message : redact(message)}\n`);
  process.exitCode = 1;
}
