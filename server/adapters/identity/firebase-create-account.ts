import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../../clock.ts";
import { transact } from "../../db/database.ts";
import type { DB } from "../../db/schema.ts";
import type { FirebaseApi } from "./firebase-api.ts";
import { signInUnavailable } from "./firebase-keys.ts";
import type { AuthenticatedAccount } from "./port.ts";

type With = { admin: NonNullable<FirebaseApi["admin"]>; clock: Clock };
type Person = { name: string; email: string; password: string };

/** Creates accounts at Firebase without a browser, with a verified address, and their rows here. */
export function firebaseAccountCreator(db: Kysely<DB>, { admin, clock }: With) {
  return async ({ name, email, password }: Person): Promise<AuthenticatedAccount> => {
    const created = await admin.createAccount({ email, password, displayName: name });
    const found = created ?? (await admin.findAccount({ email: [email] }));
    if (!found) throw signInUnavailable(new Error("The account was deleted concurrently."));
    const { localId: uid } = found;
    if (!created) await admin.verifyAddress(uid);
    const at = clock.now();
    return await transact(db, "enrol", async (tx) => {
      const user = await tx
        .insertInto("identity.user")
        .values({ id: uid, name, email, emailVerified: true, updatedAt: at })
        .onConflict((conflict) => conflict.column("email").doUpdateSet({ emailVerified: true }))
        .returning(["id", "name"])
        .executeTakeFirstOrThrow();
      const method = { providerId: "credential", accountId: uid, userId: user.id, updatedAt: at };
      if (created)
        await tx
          .insertInto("identity.account")
          .values({ id: randomUUID(), ...method })
          .execute();
      return { uid, email, name: user.name, emailVerified: true };
    });
  };
}
