import { readFile, writeFile } from "node:fs/promises";
import type { z } from "zod";
import { sentSettings } from "#contract/shop-settings.ts";
import { systemClock } from "../clock.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import {
  differences,
  publishSettings,
  readShopSettings,
} from "../features/shop-settings/shop-settings.ts";
import { runCommand, withDatabase } from "./run-command.ts";

const usage = "Usage: npm run setup -- relap.json, or npm run setup -- export relap.json";

/** `npm run setup`: publishes settings as the Shop page does, or exports or prints them. */
async function main([name, to, ...more]: string[]): Promise<string> {
  const isExport = name === "export" && to !== undefined;
  if (more.length > 0 || (to !== undefined && !isExport)) throw new AppError("BAD_REQUEST", usage);
  if (name === undefined || isExport) return await withDatabase((db) => exportSettings(db, to));
  return await withDatabase((db) => publishFile(db, name));
}

export async function exportSettings(db: Tx, to: string | undefined): Promise<string> {
  const { published } = await readShopSettings(db);
  const text = JSON.stringify(published, null, 2);
  if (to === undefined) return text;
  await writeFile(to, `${text}\n`);
  return `The settings are in ${to}.`;
}

export async function publishFile(db: Tx, file: string): Promise<string> {
  const { data: settings, error } = sentSettings.safeParse(await readJson(file));
  if (error)
    throw new AppError(
      "INVALID_INPUT",
      ["Nothing was changed.", ...error.issues.map(sentenceOf)].join("\n"),
    );
  const { published, number: basedOn } = await readShopSettings(db);
  const changed = differences(published, settings);
  if (changed.length === 0) return "The shop has these settings already.";
  await publishSettings({ db, clock: systemClock }, { actor: null, settings, basedOn });
  return `Published, with changes of ${changed.join(", ")}.`;
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new AppError("NOT_FOUND", `There is no file ${file}.`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("BAD_REQUEST", `${file} is not valid JSON.`);
  }
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const setting = issue.path.join(".");
  if (setting) return `${setting}: ${issue.message}`;
  return issue.code === "custom" ? "The file has no shop settings." : issue.message;
}

if (import.meta.main) await runCommand(main);
