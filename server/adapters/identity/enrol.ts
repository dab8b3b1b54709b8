import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { transact } from "../../db/database.ts";
import type { DB } from "../../db/schema.ts";
import type { PasswordHashing } from "./password-hashing/password-hashing.ts";
import type { Proof } from "./port.ts";

type Person = { name: string; email: string; password: string };

/** Makes accounts without a browser. Those with the same password share one hash: it is made once. */
export function enroller(db: Kysely<DB>, passwords: PasswordHashing) {
  const hashes = new Map<string, Promise<string>>();

  return async ({ name, email, password }: Person): Promise<Proof> => {
    const hash = hashes.get(password) ?? passwords.hash(password);
    hashes.set(password, hash);
    const hashed = await hash;
    return await transact(db, "enrol", async (tx) => {
      const id = randomUUID();
      // Whoever runs the program vouches for the address.
      const user = { id, name, email, emailVerified: true };
      const inserted = await tx
        .insertInto("identity.user")
        .values(user)
        .onConflict((conflict) => conflict.column("email").doUpdateSet({ emailVerified: true }))
        .returning(["id", "name"])
        .executeTakeFirstOrThrow();
      if (inserted.id === id) await insertPassword(inserted.id, hashed);
      return { uid: inserted.id, email, name: inserted.name, emailVerified: true };

      async function insertPassword(userId: string, stored: string): Promise<void> {
        const account = { id: randomUUID(), userId, accountId: userId, providerId: "credential" };
        const updatedAt = new Date();
        await tx
          .insertInto("identity.account")
          .values({ ...account, password: stored, updatedAt })
          .execute();
      }
    });
  };
}
