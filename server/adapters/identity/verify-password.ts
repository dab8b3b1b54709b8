import type { Kysely } from "kysely";
import { networkOf } from "../../db/rate-limits.ts";
import type { DB } from "../../db/schema.ts";
import { Overloaded } from "../../errors.ts";
import type { PasswordHashing } from "./password-hashing/password-hashing.ts";
import type { PasswordCheck } from "./port.ts";

/** Verifies a password; a right one whose hash has old parameters is hashed anew and stored. */
export function verifyAndRehash(db: Kysely<DB>, passwords: PasswordHashing) {
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

/** Whether this is the password of an account; false where it has none. */
export function passwordChecker(db: Kysely<DB>, passwords: PasswordHashing) {
  const verify = verifyAndRehash(db, passwords);
  return async ({ email, password, address }: PasswordCheck): Promise<boolean> => {
    const account = await db
      .selectFrom("identity.account as account")
      .innerJoin("identity.user as user", "user.id", "account.userId")
      .select("account.password as hash")
      .where("user.email", "=", email)
      .where("account.providerId", "=", "credential")
      .executeTakeFirst();
    const hash = account?.hash;
    if (!hash) return false;
    return await passwords.onBehalfOf(networkOf(address), () => verify({ hash, password }));
  };
}

/** A sign-in does not fail for it: the next one tries again. */
function unlessOverloaded(error: unknown): undefined {
  if (!(error instanceof Overloaded)) throw error;
}
