import { type Insertable, sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import type { IdentityUser } from "../../db/schema.ts";
import { Overloaded } from "../../errors.ts";
import type { PasswordHashing } from "./password-hashing/password-hashing.ts";
import type { Accounts, PasswordCheck } from "./port.ts";

/** Stores accounts in better-auth's tables. */
export const accountStore: Accounts = {
  async hasPassword(tx, email) {
    return Boolean(await findPasswordHash(tx, email));
  },
  async passwordVersion(tx, email) {
    return (await findPasswordHash(tx, email)) ?? "";
  },
  listSignInMethods,
  async updateProfile(tx, email, { name, image, at }) {
    await tx
      .updateTable("identity.user")
      .set({ name, image, updatedAt: at })
      .where("email", "=", email)
      .execute();
  },
  async remove(tx, email) {
    await tx.deleteFrom("identity.user").where("email", "=", email).execute();
  },
};

/** Setting the same password again changes the hash, because the salt is new. */
async function findPasswordHash(tx: Tx, email: string): Promise<string | null | undefined> {
  const account = await accountsOf(tx, email)
    .select("account.password")
    .where("account.providerId", "=", "credential")
    .executeTakeFirst();
  return account?.password;
}

function accountsOf(tx: Tx, email: string) {
  return tx
    .selectFrom("identity.account as account")
    .innerJoin("identity.user as user", "user.id", "account.userId")
    .where("user.email", "=", email);
}

async function listSignInMethods(tx: Tx, email: string) {
  const rows = await accountsOf(tx, email)
    .select(["account.providerId as method", "account.createdAt as since"])
    .unionAll(
      tx
        .selectFrom("identity.twoFactor as app")
        .innerJoin("identity.user as user", "user.id", "app.userId")
        .select([sql<string>`'authenticator app'`.as("method"), "app.createdAt as since"])
        .where("user.email", "=", email)
        .where("verified", "=", true),
    )
    .unionAll(
      tx
        .selectFrom("identity.passkey as passkey")
        .innerJoin("identity.user as user", "user.id", "passkey.userId")
        .select([
          sql<string>`'passkey ' || passkey.name`.as("method"),
          "passkey.createdAt as since",
        ])
        .where("user.email", "=", email),
    )
    .execute();
  return rows.map(({ method, since }) => ({
    method: method === "credential" ? "password" : method,
    since,
  }));
}

/** Locks the user's row, so that concurrent changes to an account wait for each other. */
export async function lockUser(
  tx: Tx,
  email: string,
): Promise<{ id: string; emailVerified: boolean } | undefined> {
  return await tx
    .selectFrom("identity.user")
    .select(["id", "emailVerified"])
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirst();
}

/** Inserts a user with a verified address, or marks an existing user's address as verified. */
export async function insertVerifiedUser(
  tx: Tx,
  user: Pick<Insertable<IdentityUser>, "id" | "name" | "email" | "updatedAt">,
): Promise<{ id: string; name: string }> {
  return await tx
    .insertInto("identity.user")
    .values({ ...user, emailVerified: true })
    // An update, because PostgreSQL returns an existing row only if it is updated.
    .onConflict((conflict) => conflict.column("email").doUpdateSet({ emailVerified: true }))
    .returning(["id", "name"])
    .executeTakeFirstOrThrow();
}

export function verifyAndRehash(db: Tx, passwords: PasswordHashing) {
  return async ({ hash, password }: { hash: string; password: string }): Promise<boolean> => {
    const { isRight, isOutdated } = await passwords.verify(password, hash);
    if (isRight && isOutdated) await rehash();
    return isRight;

    async function rehash(): Promise<void> {
      const renewed = await passwords.hash(password).catch(unlessOverloaded);
      if (renewed === undefined) return;
      await db
        .updateTable("identity.account")
        .set({ password: renewed })
        .where("password", "=", hash)
        .execute();
    }
  };
}

/** Returns a password check, which is false for an account without a password. */
export function passwordChecker(db: Tx, passwords: PasswordHashing) {
  const verify = verifyAndRehash(db, passwords);
  return async ({ email, password, address }: PasswordCheck): Promise<boolean> => {
    const hash = await findPasswordHash(db, email);
    if (!hash) return false;
    return await passwords.onBehalfOf(networkOf(address), () => verify({ hash, password }));
  };
}

/** Ignores `Overloaded`, because a later check can rehash the password. */
function unlessOverloaded(error: unknown): undefined {
  if (!(error instanceof Overloaded)) throw error;
}
