import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import type { DB } from "../../db/schema.ts";
import {
  type FirebaseAccount,
  fromFirebasePassword,
  type PasswordFormat,
} from "./firebase-accounts.ts";
import { linkedAccount } from "./firebase-stores.ts";

export type ImportedAccounts = {
  imported: number;
  /** Their address, or their id, has an account already. */
  skipped: number;
  /** Not imported, because Firebase doesn't let them sign in. */
  disabled: number;
  /** Of those skipped, accounts that had no password any more since Firebase had it. */
  restored: number;
  /** Imported with a password that was hashed in another way, so that they need a new one. */
  withoutPassword: number;
};

const batchSize = 500;

type From = { format: PasswordFormat | undefined; at: Date };

/** Creates the accounts that do not exist yet. It can be repeated after an interruption. */
export async function importAccounts(
  db: Kysely<DB>,
  all: FirebaseAccount[],
  { format, at }: From,
): Promise<ImportedAccounts> {
  const accounts = all.filter(({ disabled }) => disabled !== true);
  const disabled = all.length - accounts.length;
  const result = { imported: 0, skipped: 0, disabled, restored: 0, withoutPassword: 0 };
  for (let start = 0; start < accounts.length; start += batchSize) {
    const batch = accounts.slice(start, start + batchSize);
    const { created, restored } = await insertBatch(db, batch, { format, at });
    result.restored += restored;
    result.imported += created.length;
    result.skipped += batch.length - created.length;
    result.withoutPassword += created.filter(
      (one) => one.passwordHash !== undefined && fromFirebasePassword(one, format) === undefined,
    ).length;
  }
  return result;
}

async function insertBatch(
  db: Kysely<DB>,
  batch: FirebaseAccount[],
  { format, at }: From,
): Promise<{ created: FirebaseAccount[]; restored: number }> {
  return await transact(db, "importAccounts", async (tx) => {
    const rows = await tx
      .insertInto("identity.user")
      .values(batch.map((account) => ({ ...toUser(account), updatedAt: at })))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    const ids = new Set(rows.map(({ id }) => id));
    const created = batch.filter(({ localId }) => ids.has(localId));
    const existing = batch.filter(({ localId }) => !ids.has(localId));
    const restored = await restorePasswords(tx, existing, { format, at });
    const signIns = created.flatMap((account) => toSignIns(account, format));
    if (signIns.length === 0) return { created, restored };
    await tx
      .insertInto("identity.account")
      .values(signIns.map((one) => ({ ...one, id: randomUUID(), updatedAt: at })))
      .execute();
    return { created, restored };
  });
}

/**
 * Accounts of people who signed in with Firebase have no password here (`firebase-sign-in.ts`). The address
 * alone is not enough: at Firebase somebody else may have registered it after its owner changed theirs.
 */
async function restorePasswords(
  tx: Tx,
  accounts: FirebaseAccount[],
  { format, at }: From,
): Promise<number> {
  let restored = 0;
  for (const account of accounts) {
    const password = fromFirebasePassword(account, format);
    if (password === undefined) continue;
    const updated = await tx
      .updateTable("identity.account")
      .set({ password, updatedAt: at })
      .where("userId", "in", ownerOf(tx, account))
      .where("providerId", "=", "credential")
      .where("password", "is", null)
      .executeTakeFirst();
    restored += Number(updated.numUpdatedRows);
  }
  return restored;
}

function ownerOf(tx: Tx, { localId, email }: FirebaseAccount) {
  const linked = tx
    .selectFrom("identity.account")
    .select("userId")
    .where("providerId", "=", linkedAccount)
    .where("accountId", "=", localId);
  return tx
    .selectFrom("identity.user")
    .select("id")
    .where("email", "=", email)
    .where(({ eb, or }) => or([eb("id", "=", localId), eb("id", "in", linked)]));
}

function toUser({
  localId,
  email,
  emailVerified,
  displayName,
  photoUrl,
  createdAt,
}: FirebaseAccount) {
  const name = displayName === "" ? "Member" : displayName;
  const image = photoUrl ?? null;
  return { id: localId, name, email, emailVerified, image, createdAt: new Date(Number(createdAt)) };
}

function toSignIns(account: FirebaseAccount, format: PasswordFormat | undefined) {
  const { localId: userId, providerUserInfo } = account;
  const createdAt = new Date(Number(account.createdAt));
  const password = fromFirebasePassword(account, format);
  // Whoever has only claimed the address may have linked their own Google account (decision 0008).
  const google = account.emailVerified
    ? providerUserInfo.filter(({ providerId }) => providerId === "google.com")
    : [];
  return [
    ...(password === undefined
      ? []
      : [{ userId, accountId: userId, providerId: "credential", password, createdAt }]),
    ...google.map(({ rawId }) => ({
      ...{ userId, accountId: rawId, providerId: "google", password: null, createdAt },
    })),
  ];
}
