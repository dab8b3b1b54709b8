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

type ImportedAccounts = {
  imported: number;
  /** Their address or id already has an account. */
  skipped: number;
  /** Not imported, because they are disabled at Firebase. */
  disabled: number;
  /** Skipped accounts without a password here, which got the file's password. */
  restored: number;
  /** Imported accounts that need a new password: their hash has an unsupported format. */
  withoutPassword: number;
};

const batchSize = 500;

type From = {
  format: PasswordFormat | undefined;
  at: Date;
  /** Ids of accounts whose passwords in this file are outdated. */
  outdated?: ReadonlySet<string>;
};

/** Creates only accounts that don't exist yet, so an interrupted import can be repeated. */
export async function importAccounts(
  db: Kysely<DB>,
  all: FirebaseAccount[],
  from: From,
): Promise<ImportedAccounts> {
  const accounts = all
    .filter(({ disabled }) => disabled !== true)
    .map((account) => ({ ...account, password: fromFirebasePassword(account, from.format) }));
  const disabled = all.length - accounts.length;
  const result = { imported: 0, skipped: 0, disabled, restored: 0, withoutPassword: 0 };
  for (let start = 0; start < accounts.length; start += batchSize) {
    const batch = accounts.slice(start, start + batchSize);
    const { created, restored } = await insertBatch(db, batch, from);
    result.restored += restored;
    result.imported += created.length;
    result.skipped += batch.length - created.length;
    result.withoutPassword += created.filter(
      ({ passwordHash, password }) => passwordHash !== undefined && password === undefined,
    ).length;
  }
  return result;
}

/** `password`: as this shop stores it; undefined if there is none, or in an unsupported format. */
type Account = FirebaseAccount & { password: string | undefined };

async function insertBatch(
  db: Kysely<DB>,
  batch: Account[],
  from: From,
): Promise<{ created: Account[]; restored: number }> {
  const { at } = from;
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
    const restored = await restorePasswords(tx, existing, from);
    const signIns = created.flatMap(toSignIns);
    if (signIns.length === 0) return { created, restored };
    await tx
      .insertInto("identity.account")
      .values(signIns.map((one) => ({ ...one, id: randomUUID(), updatedAt: at })))
      .execute();
    return { created, restored };
  });
}

/**
 * An account lacks a password after a sign-in with Firebase or an export without its hash. The id
 * must match too: someone else may have registered an address that its owner gave up.
 */
async function restorePasswords(
  tx: Tx,
  accounts: Account[],
  { format, at, outdated = new Set() }: From,
): Promise<number> {
  const isOwnExport = format !== undefined && "standard" in format;
  let restored = 0;
  for (const account of accounts) {
    const { localId, password, emailVerified } = account;
    if (password === undefined || outdated.has(localId)) continue;
    const owner = await ownerOf(tx, account).executeTakeFirst();
    // Unverified in our export but verified now: the claimant's password (decisions/identity).
    const wasClaimed = isOwnExport && owner?.emailVerified === true && !emailVerified;
    if (!owner || wasClaimed) continue;
    if (await setMissingPassword(tx, { userId: owner.id, password, updatedAt: at })) restored += 1;
  }
  return restored;
}

type NewPassword = { userId: string; password: string; updatedAt: Date };

async function setMissingPassword(tx: Tx, { userId, ...changes }: NewPassword): Promise<boolean> {
  const known = await tx
    .selectFrom("identity.account")
    .select(["id", "password"])
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .executeTakeFirst();
  if (known && known.password !== null) return false;
  if (known)
    await tx.updateTable("identity.account").set(changes).where("id", "=", known.id).execute();
  else
    await tx
      .insertInto("identity.account")
      .values({ id: randomUUID(), userId, accountId: userId, providerId: "credential", ...changes })
      .execute();
  return true;
}

function ownerOf(tx: Tx, { localId, email }: FirebaseAccount) {
  const linked = tx
    .selectFrom("identity.account")
    .select("userId")
    .where("providerId", "=", linkedAccount)
    .where("accountId", "=", localId);
  return tx
    .selectFrom("identity.user")
    .select(["id", "emailVerified"])
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

function toSignIns(account: Account) {
  const { localId: userId, providerUserInfo, password } = account;
  const createdAt = new Date(Number(account.createdAt));
  // Whoever only claimed the address may have linked their Google account (decisions/identity).
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
