import { createHmac, hkdfSync } from "node:crypto";
import type { Tx } from "../../db/database.ts";

type Secrets = { secret: string; previousSecret: string | undefined };

/** Error message at sign-up and after Google sign-in. The message doesn't reveal the reason. */
export const addressBlocked =
  "This address can't be used for a new account right now. Use another one.";

/** Prevents sign-ups with the address of a deleted account until the clean-up deletes the row. */
export async function blockAddress(
  tx: Tx,
  { secret }: Secrets,
  { email, at }: { email: string; at: Date },
): Promise<void> {
  await tx
    .insertInto("blocked_emails")
    .values({ email_hash: hashOf(email, secret), blocked_at: at })
    .onConflict((conflict) => conflict.column("email_hash").doUpdateSet({ blocked_at: at }))
    .execute();
}

/** Whether an account with this address was deleted within the retention period. */
export async function isAddressBlocked(
  tx: Tx,
  { secret, previousSecret }: Secrets,
  email: string,
): Promise<boolean> {
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  const found = await tx
    .selectFrom("blocked_emails")
    .select("email_hash")
    .where(
      "email_hash",
      "in",
      secrets.map((one) => hashOf(email, one)),
    )
    .executeTakeFirst();
  return found !== undefined;
}

function hashOf(email: string, secret: string): string {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "blocked addresses", 32));
  return createHmac("sha256", key).update(email).digest("base64url");
}
