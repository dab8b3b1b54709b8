import { resolve } from "node:path";
import { backUp } from "../backup/backup.ts";
import { restore } from "../backup/restore.ts";
import { readConfig } from "../config.ts";
import { startEmbeddedPostgres } from "../db/embedded-postgres/embedded-postgres.ts";
import { migrate } from "../db/migrate.ts";
import { redact, redactConsole } from "../http/redact.ts";

/** `npm run backup -- FOLDER` of a running shop; `npm run restore -- FOLDER` into an empty one. */
async function main([verb, folder]: string[]): Promise<string> {
  if ((verb !== "backup" && verb !== "restore") || folder === undefined) {
    throw new Error(`Usage: npm run ${verb ?? "backup"} -- FOLDER`);
  }
  const { databaseUrl, databaseDirectUrl, dataDir } = readConfig();
  const embedded =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir, shared: verb === "backup" })
      : undefined;
  const source = { url: databaseDirectUrl ?? databaseUrl ?? embedded?.url ?? "", dataDir };
  try {
    if (verb === "restore") await migrate(source.url);
    const hashes = await (verb === "backup" ? backUp : restore)(source, resolve(folder));
    const rows = Object.values(hashes).reduce((sum, hash) => sum + Number.parseInt(hash, 10), 0);
    return `${verb === "backup" ? "Backed up" : "Restored"} ${rows} rows of ${Object.keys(hashes).length} tables, compared by their hashes.`;
  } finally {
    await embedded?.stop();
  }
}

redactConsole();
try {
  process.stdout.write(`${await main(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${redact(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
}
