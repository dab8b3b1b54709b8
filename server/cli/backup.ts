import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { backUp, backUpAndKeep, type Source, untilNextBackup } from "../backup/backup.ts";
import { restore } from "../backup/restore.ts";
import { environmentWith, readConfig } from "../config.ts";
import { migrate } from "../db/migrate.ts";
import { runCommand, withDatabaseUrl } from "./run-command.ts";

/** Node's timers end at once if they are longer than 596 hours. */
const maxHours = 596;

const usage = `Usage: npm run backup -- FOLDER [--keep N [--every HOURS]], or: npm run restore -- FOLDER   (HOURS: at most ${maxHours})`;

const count = z.coerce.number().int().positive();
const command = z.discriminatedUnion("verb", [
  z.strictObject({ verb: z.literal("restore"), folder: z.string() }),
  z
    .strictObject({
      verb: z.literal("backup"),
      folder: z.string(),
      keep: count.optional(),
      every: count.max(maxHours).optional(),
    })
    .refine(({ keep, every }) => keep !== undefined || every === undefined),
]);

/** Backs up a running shop, or restores into an empty one. `--every HOURS` repeats the backup. */
async function main(args: string[]): Promise<string> {
  const asked = readCommand(args);
  const folder = resolve(asked.folder);
  if (asked.verb === "restore")
    return report("Restored", await withShop("restore", (shop) => restore(shop, folder)));
  const { keep, every: hours } = asked;
  for (;;) {
    if (hours) await wait(await untilNextBackup({ folder, hours, now: new Date() }));
    const hashes = await withShop("backup", (shop) =>
      keep ? backUpAndKeep(shop, { folder, keep, now: new Date() }) : backUp(shop, folder),
    );
    const done = report("Backed up", hashes);
    if (!hours) return done;
    process.stdout.write(`${done}\n`);
  }
}

export function readCommand(args: string[]): z.output<typeof command> {
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

/** Ignores NODE_ENV, so that the command needs none of the keys that production requires. */
async function withShop<T>(
  verb: "backup" | "restore",
  use: (shop: Source) => Promise<T>,
): Promise<T> {
  const config = readConfig(environmentWith({ NODE_ENV: undefined, HOST: undefined }));
  const run = async (url: string) => {
    if (verb === "restore") await migrate(url);
    return await use({ url, dataDir: config.dataDir });
  };
  return await withDatabaseUrl(config, run, { shared: verb === "backup" });
}

function report(done: string, hashes: Record<string, string>): string {
  const rows = Object.values(hashes).reduce((sum, hash) => sum + Number.parseInt(hash, 10), 0);
  const tables = Object.keys(hashes).length;
  return `${done} ${rows} rows of ${tables} tables, compared by their hashes.`;
}

if (import.meta.main) await runCommand(main);
