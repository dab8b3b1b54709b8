import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import {
  costOfFile,
  exportAccounts,
  type FirebaseAccount,
  firebaseAccounts,
  importAccounts,
  importCommand,
  withoutPasswords,
} from "../adapters/identity/firebase-accounts.ts";
import {
  type FirebaseScrypt,
  parseHashConfig,
} from "../adapters/identity/password-hashing/firebase-scrypt.ts";
import { systemClock } from "../clock.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { refuseName } from "../features/members/member-name.ts";
import { runCommand, withDatabase } from "./run-command.ts";

const hashConfig = "hash-config.txt";

/** `npm run identity`: moves accounts to and from Firebase Auth (decisions/identity). */
async function main([verb, folder]: string[]): Promise<string> {
  const command = verb === "export" ? exportTo : importFrom;
  if ((verb !== "export" && verb !== "import") || folder === undefined)
    throw new AppError(
      "BAD_REQUEST",
      "Usage: npm run identity -- export FOLDER, or: npm run identity -- import FOLDER",
    );
  return await withDatabase((db) => command(db, resolve(folder)));
}

export async function exportTo(db: Tx, folder: string): Promise<string> {
  const { files, secondFactors, firebaseHashes } = await exportAccounts(db);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lines: string[] = [];
  for (const [name, users] of files) {
    const path = join(folder, name);
    // Only the owner can read the password hashes. An earlier export is not overwritten.
    await writeFile(path, JSON.stringify({ users }, null, 1), { mode: 0o600, flag: "wx" });
    lines.push(`${users.length} accounts: ${importCommand(path, costOfFile(name))}`);
  }
  if (secondFactors > 0)
    lines.push(
      `Not exported: ${secondFactors} passkeys and authenticator apps, for which the format has no place.`,
    );
  if (firebaseHashes > 0)
    lines.push(
      `Without their password: ${firebaseHashes} accounts whose password came from Firebase and was not used here since.`,
    );
  return lines.length === 0 ? "There are no accounts." : lines.join("\n");
}

/** Imports Firebase's files first: their passwords are newer. Our own export adds missing ones. */
export async function importFrom(db: Tx, folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  const firebase = await readHashConfig(folder);
  const outdated = new Set<string>();
  const lines: string[] = [];
  for (const name of [...names.filter((one) => !isOwnFile(one)), ...names.filter(isOwnFile)]) {
    const users = await readAccounts(folder, name);
    const standard = costOfFile(name);
    const format = standard ? { standard } : firebase && { firebase };
    const from = { format, at: systemClock.now(), outdated, refuseName };
    const { imported, skipped, disabled, restored, withoutPassword } = await importAccounts(
      db,
      users,
      from,
    );
    for (const { localId, passwordHash } of isOwnFile(name) ? [] : users)
      if (passwordHash !== undefined) outdated.add(localId);
    lines.push(
      `${name}: ${imported} accounts imported, ${skipped} skipped because they exist already, ${withoutPassword} need a new password.`,
    );
    if (disabled > 0)
      lines.push(`${name}: ${disabled} not imported because they are disabled at Firebase.`);
    if (restored > 0) lines.push(`${name}: ${restored} of those skipped have their password back.`);
  }
  return lines.length === 0 ? `${folder} has no .json files.` : lines.join("\n");
}

function isOwnFile(name: string): boolean {
  return costOfFile(name) !== undefined || name === withoutPasswords;
}

async function readAccounts(folder: string, name: string): Promise<FirebaseAccount[]> {
  const { data, error } = firebaseAccounts.safeParse(
    JSON.parse(await readFile(join(folder, name), "utf8")),
  );
  if (error) throw new AppError("INVALID_INPUT", `${name}: ${z.prettifyError(error)}`);
  return data.users;
}

/** The Firebase console's "password hash parameters", saved next to the accounts. */
async function readHashConfig(folder: string): Promise<FirebaseScrypt | undefined> {
  const text = await readFile(join(folder, hashConfig), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const parameters = parseHashConfig(text);
  if (parameters) return parameters;
  throw new AppError(
    "INVALID_INPUT",
    `${hashConfig} must be the text that the Firebase console shows under Authentication, Users, Password hash parameters.`,
  );
}

if (import.meta.main) await runCommand(main);
