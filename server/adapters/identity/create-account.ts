import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../../clock.ts";
import { transact } from "../../db/database.ts";
import type { DB } from "../../db/schema.ts";
import { accountStore, lockUser } from "./account-store.ts";
import type { PasswordHashing } from "./password-hashing/password-hashing.ts";
import type { AuthenticatedAccount } from "./port.ts";

type Person = { name: string; email: string; password: string };

/** Creates accounts without a browser, for demo data. Hashes equal passwords only once. */
export function accountCreator(
  db: Kysely<DB>,
  { passwords, clock }: { passwords: PasswordHashing; clock: Clock },
) {
  const hashes = new Map<string, Promise<string>>();

  return async ({ name, email, password }: Person): Promise<AuthenticatedAccount> => {
    const pending = hashes.get(password) ?? passwords.hash(password);
    hashes.set(password, pending);
    const hash = await pending;
    return await transact(db, "enrol", async (tx) => {
      const existing = await lockUser(tx, email);
      // A stranger may have registered the unverified address (decisions/identity).
      if (existing?.emailVerified === false) await accountStore.remove(tx, email);
      const id = randomUUID();
      // The operator vouches for the address.
      const user = { id, name, email, emailVerified: true };
      const inserted = await tx
        .insertInto("identity.user")
        .values(user)
        // Updates a column, because PostgreSQL returns an existing row only if it is updated.
        .onConflict((conflict) => conflict.column("email").doUpdateSet({ emailVerified: true }))
        .returning(["id", "name"])
        .executeTakeFirstOrThrow();
      if (inserted.id === id) {
        const account = { id: randomUUID(), userId: id, accountId: id, providerId: "credential" };
        await tx
          .insertInto("identity.account")
          .values({ ...account, password: hash, updatedAt: clock.now() })
          .execute();
      }
      return { uid: inserted.id, email, name: inserted.name, emailVerified: true };
    });
  };
}
