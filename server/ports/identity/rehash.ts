import type { Kysely } from "kysely";
import type { DB } from "../../db/schema.ts";
import { Overloaded } from "../../errors.ts";
import type { PasswordHashing } from "../../passwords/password-hashing.ts";

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

/** A sign-in does not fail for it: the next one tries again. */
function unlessOverloaded(error: unknown): undefined {
  if (!(error instanceof Overloaded)) throw error;
}
