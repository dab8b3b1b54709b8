import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../../clock.ts";
import { transact } from "../../db/database.ts";
import type { DB } from "../../db/schema.ts";
import { accountStore, lockUser } from "./account-store.ts";
import type { FirebaseApi } from "./firebase-api.ts";
import { signInUnavailable } from "./firebase-keys.ts";
import { refuseSignInsUntil } from "./firebase-stores.ts";
import type { AuthenticatedAccount } from "./port.ts";

type Admin = NonNullable<FirebaseApi["admin"]>;
type Person = { name: string; email: string; password: string };

/** Creates accounts with verified addresses at Firebase, and their rows here, without a browser. */
export function firebaseAccountCreator(
  db: Kysely<DB>,
  { admin, clock }: { admin: Admin; clock: Clock },
) {
  return async (person: Person): Promise<AuthenticatedAccount> => {
    const uid = await createAtFirebase(admin, person);
    const { name, email } = person;
    const at = clock.now();
    return await transact(db, "enrol", async (tx) => {
      const existing = await lockUser(tx, email);
      if (existing?.emailVerified === false) {
        await refuseSignInsUntil(tx, email, at);
        await accountStore.remove(tx, email);
      }
      const user = await tx
        .insertInto("identity.user")
        .values({ id: uid, name, email, emailVerified: true, updatedAt: at })
        // Updates a column, because PostgreSQL returns an existing row only if it is updated.
        .onConflict((conflict) => conflict.column("email").doUpdateSet({ emailVerified: true }))
        .returning(["id", "name"])
        .executeTakeFirstOrThrow();
      const method = { providerId: "credential", accountId: uid, userId: user.id, updatedAt: at };
      const known = await tx
        .selectFrom("identity.account")
        .select("id")
        .where("userId", "=", user.id)
        .where("providerId", "=", "credential")
        .executeTakeFirst();
      if (!known)
        await tx
          .insertInto("identity.account")
          .values({ id: randomUUID(), ...method })
          .execute();
      return { uid, email, name: user.name, emailVerified: true };
    });
  };
}

/**
 * Creates an account at Firebase. Replaces an account with an unverified address, which a stranger
 * may have registered (decisions/identity).
 */
async function createAtFirebase(admin: Admin, person: Person): Promise<string> {
  const { name: displayName, ...credentials } = person;
  const created = await admin.createAccount({ ...credentials, displayName });
  if (created) return created.localId;
  const existing = await admin.findAccount({ email: [person.email] });
  if (existing?.emailVerified) return existing.localId;
  if (existing) await admin.deleteAccount(existing.localId);
  const again = await admin.createAccount({ ...credentials, displayName });
  if (!again) throw signInUnavailable(new Error("The account was changed concurrently."));
  return again.localId;
}
