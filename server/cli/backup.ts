import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { backUp, type Source } from "../backup/backup.ts";
import { backUpAndKeep, untilNextBackup } from "../backup/kept-backups.ts";
import { restore } from "../backup/restore.ts";
import { environmentWith, readConfig } from "../config.ts";
import { startEmbeddedPostgres } from "../db/embedded-postgres/embedded-postgres.ts";
import { migrate } from "../db/migrate.ts";
import { redact, redactConsole } from "../http/logging.ts";

const usage =
  "Usage: npm run backup -- FOLDER [--keep N [--every HOURS]], or: npm run restore -- FOLDER";

const count = z.coerce.number().int().positive().optional();
const command = z.discriminatedUnion("verb", [
  z.strictObject({ verb: z.literal("restore"), folder: z.string() }),
  z
    .strictObject({ verb: z.literal("backup"), folder: z.string(), keep: count, every: count })
    .refine(({ keep, every }) => keep !== undefined || every === undefined),
]);

/** Backs up a running shop, or restores into an empty one. `--every HOURS` repeats the backup. */
async function main(args: string[]): Promise<void> {
  const asked = readCommand(args);
  const folder = resolve(asked.folder);
  if (asked.verb === "restore") {
    return print("Restored", await withShop("restore", (shop) => restore(shop, folder)));
  }
  const { keep, every: hours } = asked;
  do {
    if (hours) await wait(await untilNextBackup({ folder, hours, now: new Date() }));
    const hashes = await withShop("backup", (shop) =>
      keep ? backUpAndKeep(shop, { folder, keep, now: new Date() }) : backUp(shop, folder),
    );
    print("Backed up", hashes);
  } while (hours);
}

function readCommand(args: string[]): z.output<typeof command> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { keep: { type: "string" }, every: { type: "string" } },
  });
  const [verb, folder] = positionals;
  const parsed = command.safeParse({ verb, folder, ...values });
  if (!parsed.success) throw new Error(usage);
  return parsed.data;
}

/** Needs none of the keys that a node needs in production. */
async function withShop<T>(
  verb: "backup" | "restore",
  use: (shop: Source) => Promise<T>,
): Promise<T> {
  const { databaseUrl, databaseDirectUrl, dataDir } = readConfig(
    environmentWith({ NODE_ENV: undefined, HOST: undefined }),
  );
  const embedded =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir, shared: verb === "backup" })
      : undefined;
  const url = databaseDirectUrl ?? databaseUrl ?? embedded?.url ?? "";
  try {
    if (verb === "restore") await migrate(url);
    return await use({ url, dataDir });
  } finally {
    await embedded?.stop();
  }
}

function print(done: string, hashes: Record<string, string>): void {
  const rows = Object.values(hashes).reduce((sum, hash) => sum + Number.parseInt(hash, 10), 0);
  const tables = Object.keys(hashes).length;
  process.stdout.write(`${done} ${rows} rows of ${tables} tables, compared by their hashes.\n`);
}

redactConsole();
try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${redact(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
}
