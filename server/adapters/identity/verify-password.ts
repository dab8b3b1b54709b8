import type { Tx } from "../../db/database.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import { Overloaded } from "../../errors.ts";
import { findPasswordHash } from "./account-store.ts";
import type { PasswordHashing } from "./password-hashing/password-hashing.ts";
import type { PasswordCheck } from "./port.ts";

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

/** False if the account has no password. */
export function passwordChecker(db: Tx, passwords: PasswordHashing) {
  const verify = verifyAndRehash(db, passwords);
  return async ({ email, password, address }: PasswordCheck): Promise<boolean> => {
    const hash = await findPasswordHash(db, email);
    if (!hash) return false;
    return await passwords.onBehalfOf(networkOf(address), () => verify({ hash, password }));
  };
}

/** If hashing is overloaded, the sign-in succeeds, and the next one rehashes the password. */
function unlessOverloaded(error: unknown): undefined {
  if (!(error instanceof Overloaded)) throw error;
}
