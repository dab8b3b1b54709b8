import { email as emailSchema } from "#contract/text.ts";
import { systemClock } from "./clock.ts";
import { readConfig } from "./config.ts";
import { openDatabase } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded.ts";
import { changeAdmin } from "./features/members/admins.ts";

const usage = "Usage: npm run admin -- grant you@example.com   (or: revoke you@example.com)";

/** `npm run admin -- grant <email>`: there is no call for it (contract, "How the program is run"). */
async function main([verb, address]: string[]): Promise<string> {
  const email = emailSchema.safeParse(address);
  if ((verb !== "grant" && verb !== "revoke") || !email.success) throw new Error(usage);
  const config = readConfig();
  const postgres =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, shared: true })
      : undefined;
  const { db, pool } = openDatabase(config.databaseUrl ?? postgres?.url ?? "");
  try {
    return await changeAdmin(
      { db, clock: systemClock },
      { email: email.data, isAdmin: verb === "grant" },
    );
  } finally {
    await pool.end();
    await postgres?.stop();
  }
}

try {
  process.stdout.write(`${await main(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
