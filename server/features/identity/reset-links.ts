import { createHash } from "node:crypto";
import type { Tx } from "../../db/database.ts";

/** The embedded identity service finds a link's token under this name. */
export const resetPrefix = "reset-password:";
export const hashPrefix = "reset-password-hash:";

/** How a link's name is stored: by its hash, so that whoever reads the database can't use the link. */
export function hashed(name: string): string {
  return `${hashPrefix}${createHash("sha256").update(name).digest("base64url")}`;
}

/** Whose password the link in a `POST /reset-password` sets. */
export async function accountOfLink(tx: Tx, body: unknown): Promise<string | undefined> {
  const { token } = Object(body) as { token?: unknown };
  if (typeof token !== "string") return undefined;
  const person = await tx
    .selectFrom("identity.verification as link")
    .innerJoin("identity.user as user", "user.id", "link.value")
    .select("user.email")
    .where("link.identifier", "=", hashed(`${resetPrefix}${token}`))
    .executeTakeFirst();
  return person?.email;
}
