import type { Tx } from "../../db/database.ts";
import { keyedHashes, keysFor, type Secrets } from "../../keyed-hash.ts";

/** Shown at sign-up and after Google sign-in. Doesn't reveal the reason. */
export const addressBlocked =
  "This address can't be used for a new account right now. Use another one.";

/** Blocks sign-ups with a deleted account's address until the clean-up deletes the stored hash. */
export async function blockAddress(
  tx: Tx,
  secrets: Secrets,
  { email, at }: { email: string; at: Date },
): Promise<void> {
  const [email_hash] = hashesOf(email, secrets);
  await tx
    .insertInto("blocked_emails")
    .values({ email_hash, blocked_at: at })
    .onConflict((conflict) => conflict.column("email_hash").doUpdateSet({ blocked_at: at }))
    .execute();
}

export async function isAddressBlocked(tx: Tx, secrets: Secrets, email: string): Promise<boolean> {
  const found = await tx
    .selectFrom("blocked_emails")
    .select("email_hash")
    .where("email_hash", "in", hashesOf(email, secrets))
    .executeTakeFirst();
  return found !== undefined;
}

function hashesOf(email: string, secrets: Secrets) {
  return keyedHashes(keysFor("blocked addresses", secrets), email);
}
