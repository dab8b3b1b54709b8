import { randomUUID } from "node:crypto";
import { z } from "zod";
import { email } from "#contract/text.ts";
import type { ScryptCost } from "../../config.ts";
import { type Tx, transact } from "../../db/database.ts";
import { linkedAccount } from "./firebase-stores.ts";
import { memberNameOf, type NameHooks } from "./openid-profile.ts";
import {
  type FirebaseScrypt,
  parseFirebaseHash,
  storeFirebaseHash,
} from "./password-hashing/firebase-scrypt.ts";
import { formatHash, keyLength, parseHash } from "./password-hashing/password-hashing.ts";

/** An account in the JSON that `firebase auth:import` reads and `auth:export` writes. */
const firebaseAccount = z.object({
  localId: z.string().min(1).max(128),
  email,
  emailVerified: z.boolean().default(false),
  disabled: z.boolean().optional(),
  displayName: z.string().default(""),
  photoUrl: z.string().optional(),
  passwordHash: z.string().optional(),
  salt: z.string().optional(),
  /** Milliseconds since 1970. */
  createdAt: z.string().regex(/^\d{1,15}$/),
  providerUserInfo: z
    .array(z.object({ providerId: z.string(), rawId: z.string(), email: z.string().optional() }))
    .default([]),
});

export type FirebaseAccount = z.output<typeof firebaseAccount>;

/** All accounts in a file share hash parameters, which `firebase auth:import` needs as options. */
export const firebaseAccounts = z.object({ users: z.array(firebaseAccount) });

export const withoutPasswords = "accounts-without-password.json";

function fileNameFor({ N, r, p }: ScryptCost): string {
  return `accounts-scrypt-N${N}-r${r}-p${p}.json`;
}

export function costOfFile(name: string): ScryptCost | undefined {
  const [, N, r, p] = /^accounts-scrypt-N(\d+)-r(\d+)-p(\d+)\.json$/.exec(name) ?? [];
  return p === undefined ? undefined : { N: Number(N), r: Number(r), p: Number(p) };
}

export function importCommand(path: string, cost: ScryptCost | undefined): string {
  if (!cost) return `firebase auth:import ${path}`;
  const options = [
    "--hash-algo=STANDARD_SCRYPT",
    `--mem-cost=${cost.N}`,
    `--block-size=${cost.r}`,
    `--parallelization=${cost.p}`,
    `--dk-len=${keyLength}`,
  ];
  return `firebase auth:import ${path} ${options.join(" ")}`;
}

/** Undefined for a hash made by Firebase: that format needs the project key, which isn't stored. */
function toFirebasePassword(hash: string) {
  if (parseFirebaseHash(hash)) return undefined;
  const { cost, salt, key } = parseHash(hash);
  const passwordHash = key.toString("base64");
  return { cost, fields: { passwordHash, salt: Buffer.from(salt).toString("base64") } };
}

type PasswordFormat = { standard: ScryptCost } | { firebase: FirebaseScrypt };

function fromFirebasePassword(
  { passwordHash, salt }: Pick<FirebaseAccount, "passwordHash" | "salt">,
  format: PasswordFormat | undefined,
): string | undefined {
  if (passwordHash === undefined || salt === undefined || !format) return undefined;
  if ("firebase" in format) return storeFirebaseHash({ passwordHash, salt }, format.firebase);
  const key = Buffer.from(passwordHash, "base64");
  const text = Buffer.from(salt, "base64").toString("latin1");
  if (key.length !== keyLength || !/^[\w-]+$/.test(text)) return undefined;
  return formatHash({ cost: format.standard, salt: text, key });
}

type ExportedAccounts = {
  files: Map<string, FirebaseAccount[]>;
  /** Number of passkeys and authenticator apps, which Firebase's format can't contain. */
  secondFactors: number;
  /** Number of passwords that Firebase hashed. Their accounts are exported without a password. */
  firebaseHashes: number;
};

export async function exportAccounts(tx: Tx): Promise<ExportedAccounts> {
  const users = await tx
    .selectFrom("identity.user")
    .selectAll()
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  const accounts = await tx
    .selectFrom("identity.account")
    .select(["userId", "providerId", "accountId", "password"])
    .execute();
  const accountsOf = Map.groupBy(accounts, ({ userId }) => userId);
  const files = new Map<string, FirebaseAccount[]>();
  let firebaseHashes = 0;
  for (const user of users) {
    const own = accountsOf.get(user.id) ?? [];
    const hash = own.find(({ password }) => password !== null)?.password;
    const password = hash ? toFirebasePassword(hash) : undefined;
    if (hash && !password) firebaseHashes += 1;
    const name = password ? fileNameFor(password.cost) : withoutPasswords;
    const file = files.get(name) ?? [];
    files.set(name, file);
    file.push({
      localId: user.id,
      email: user.email,
      emailVerified: user.emailVerified,
      displayName: user.name,
      ...(user.image !== null && { photoUrl: user.image }),
      ...password?.fields,
      createdAt: String(user.createdAt.getTime()),
      // Google is our only provider that `firebase auth:import` accepts.
      providerUserInfo: own
        .filter(({ providerId }) => providerId === "google")
        .map((at) => ({ providerId: "google.com", rawId: at.accountId, email: user.email })),
    });
  }
  return { files, secondFactors: await countSecondFactors(tx), firebaseHashes };
}

async function countSecondFactors(tx: Tx): Promise<number> {
  const factors = await tx
    .selectFrom("identity.twoFactor")
    .select("id")
    .where("verified", "=", true)
    .unionAll(tx.selectFrom("identity.passkey").select("id"))
    .execute();
  return factors.length;
}

type ImportedAccounts = {
  imported: number;
  /** Accounts whose address or id is already taken here. */
  skipped: number;
  disabled: number;
  /** How many of the skipped accounts had no password here and got the one from the file. */
  restored: number;
  /** Imported accounts whose hash has an unknown or unsupported format. */
  withoutPassword: number;
};

const batchSize = 500;

type From = NameHooks & {
  format: PasswordFormat | undefined;
  at: Date;
  /** Ids of accounts whose passwords in this file are outdated. */
  outdated?: ReadonlySet<string>;
};

/** Creates missing accounts and restores missing passwords, so an import can be repeated. */
export async function importAccounts(
  db: Tx,
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

/** `password`: the hash in this shop's format; undefined without a hash in a supported format. */
type Account = FirebaseAccount & { password: string | undefined };

async function insertBatch(
  db: Tx,
  batch: Account[],
  from: From,
): Promise<{ created: Account[]; restored: number }> {
  const { at } = from;
  return await transact(db, "importAccounts", async (tx) => {
    const rows = await tx
      .insertInto("identity.user")
      .values(batch.map((account) => ({ ...toUser(account, from), updatedAt: at })))
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
 * Restores passwords that a sign-in with Firebase deleted, or that an earlier import lacked. The id
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
    // The password may be a stranger's if the owner verified the address only after our export.
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

function toUser(account: FirebaseAccount, hooks: NameHooks) {
  const { localId: id, email, emailVerified, displayName, photoUrl: image = null } = account;
  const createdAt = new Date(Number(account.createdAt));
  const name = memberNameOf(hooks, displayName, email);
  return { id, name, email, emailVerified, image, createdAt };
}

function toSignIns({ localId: userId, password, ...account }: Account) {
  const common = { userId, createdAt: new Date(Number(account.createdAt)) };
  // A stranger may have registered an unverified address and linked Google (decisions/identity).
  const google = account.emailVerified
    ? account.providerUserInfo.filter(({ providerId }) => providerId === "google.com")
    : [];
  const own = { ...common, accountId: userId, providerId: "credential", password };
  const linked = { ...common, providerId: "google", password: null };
  return [
    ...(password === undefined ? [] : [own]),
    ...google.map(({ rawId: accountId }) => ({ ...linked, accountId })),
  ];
}
