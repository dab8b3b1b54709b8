import type { Tx } from "../../db/database.ts";
import {
  type FirebaseAccount,
  fileNameFor,
  toFirebasePassword,
  withoutPasswords,
} from "./firebase-accounts.ts";

type ExportedAccounts = {
  /** The exported accounts, by file name. */
  files: Map<string, FirebaseAccount[]>;
  /** Number of passkeys and authenticator apps, which Firebase's format can't contain. */
  secondFactors: number;
  /** Number of passwords that Firebase hashed and that were never used to log in here. */
  firebaseHashes: number;
};

/** All accounts in the format of `firebase auth:import`, with their password hashes. */
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
  const { apps, passkeys } = await tx
    .selectNoFrom((eb) => [
      eb
        .selectFrom("identity.twoFactor")
        .select(({ fn }) => fn.countAll<string>().as("n"))
        .where("verified", "=", true)
        .as("apps"),
      eb
        .selectFrom("identity.passkey")
        .select(({ fn }) => fn.countAll<string>().as("n"))
        .as("passkeys"),
    ])
    .executeTakeFirstOrThrow();
  return Number(apps) + Number(passkeys);
}
