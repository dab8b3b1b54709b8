import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { transact } from "../../db/database.ts";
import type { DB } from "../../db/schema.ts";
import type { ScryptCost } from "../../settings/scrypt-cost.ts";
import { type FirebaseAccount, fromFirebasePassword } from "./firebase-accounts.ts";

export type ImportedAccounts = {
  imported: number;
  /** Their address, or their id, has an account already. */
  skipped: number;
  /** Imported with a password that was hashed in another way, so that they need a new one. */
  withoutPassword: number;
};

const batchSize = 500;

/** Creates the accounts that do not exist yet. It can be repeated after an interruption. */
export async function importAccounts(
  db: Kysely<DB>,
  accounts: FirebaseAccount[],
  { cost, at }: { cost: ScryptCost | undefined; at: Date },
): Promise<ImportedAccounts> {
  const result = { imported: 0, skipped: 0, withoutPassword: 0 };
  for (let start = 0; start < accounts.length; start += batchSize) {
    const batch = accounts.slice(start, start + batchSize);
    const created = await insertBatch(db, batch, { cost, at });
    result.imported += created.length;
    result.skipped += batch.length - created.length;
    result.withoutPassword += created.filter(
      (one) => one.passwordHash !== undefined && fromFirebasePassword(one, cost) === undefined,
    ).length;
  }
  return result;
}

async function insertBatch(
  db: Kysely<DB>,
  batch: FirebaseAccount[],
  { cost, at }: { cost: ScryptCost | undefined; at: Date },
): Promise<FirebaseAccount[]> {
  return await transact(db, "importAccounts", async (tx) => {
    const rows = await tx
      .insertInto("identity.user")
      .values(batch.map((account) => ({ ...toUser(account), updatedAt: at })))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    const ids = new Set(rows.map(({ id }) => id));
    const created = batch.filter(({ localId }) => ids.has(localId));
    const signIns = created.flatMap((account) => toSignIns(account, cost));
    if (signIns.length === 0) return created;
    await tx
      .insertInto("identity.account")
      .values(signIns.map((one) => ({ ...one, id: randomUUID(), updatedAt: at })))
      .execute();
    return created;
  });
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

function toSignIns(account: FirebaseAccount, cost: ScryptCost | undefined) {
  const { localId: userId, providerUserInfo } = account;
  const createdAt = new Date(Number(account.createdAt));
  const password = fromFirebasePassword(account, cost);
  const google = providerUserInfo.filter(({ providerId }) => providerId === "google.com");
  return [
    ...(password === undefined
      ? []
      : [{ userId, accountId: userId, providerId: "credential", password, createdAt }]),
    ...google.map(({ rawId }) => ({
      ...{ userId, accountId: rawId, providerId: "google", password: null, createdAt },
    })),
  ];
}
