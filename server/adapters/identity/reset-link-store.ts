import { randomUUID } from "node:crypto";
import type { Tx } from "../../db/database.ts";
import { hashToken, randomToken } from "../../keyed-hash.ts";
import { lockUser } from "./account-store.ts";
import type { ResetLinks } from "./port.ts";

const validForMs = 60 * 60_000;
const minIntervalMs = 60_000;
const maxValidLinks = 5;

/** better-auth looks up a reset link by this prefix and the link's token. */
export const resetPrefix = "reset-password:";
const hashPrefix = "reset-password-hash:";

export function hashIdentifier(identifier: string): string {
  return `${hashPrefix}${hashToken(identifier)}`;
}

export const resetLinkStore: ResetLinks = {
  async create(tx, email, at) {
    const user = await lockUser(tx, email);
    return user && (await createLink(tx, user.id, at));
  },
  async findAccount(tx, token) {
    const user = await tx
      .selectFrom("identity.verification as link")
      .innerJoin("identity.user as user", "user.id", "link.value")
      .select("user.email")
      .where("link.identifier", "=", hashIdentifier(`${resetPrefix}${token}`))
      .executeTakeFirst();
    return user?.email;
  },
  async deleteExpired(tx, before) {
    await tx.deleteFrom("identity.verification").where("expiresAt", "<", before).execute();
  },
};

async function createLink(tx: Tx, userId: string, at: Date): Promise<string | undefined> {
  const links = await linksOf(tx, userId)
    .select("createdAt")
    .where("expiresAt", ">", at)
    .orderBy("createdAt", "desc")
    .execute();
  const [last] = links;
  if (last && at.getTime() - last.createdAt.getTime() < minIntervalMs) return undefined;
  if (links.length >= maxValidLinks) return undefined;
  const token = randomToken();
  const link = {
    id: randomUUID(),
    identifier: hashIdentifier(`${resetPrefix}${token}`),
    value: userId,
    createdAt: at,
    updatedAt: at,
    expiresAt: new Date(at.getTime() + validForMs),
  };
  await tx.insertInto("identity.verification").values(link).execute();
  return token;
}

/**
 * Marks the address as verified, and deletes the account's reset links. Returns whether the address
 * was verified before.
 */
export async function completeReset(tx: Tx, userId: string, at: Date): Promise<boolean> {
  const { emailVerified } = await tx
    .selectFrom("identity.user")
    .select("emailVerified")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("identity.user")
    .set({ emailVerified: true, updatedAt: at })
    .where("id", "=", userId)
    .execute();
  const links = linksOf(tx, userId).select("id");
  await tx.deleteFrom("identity.verification").where("id", "in", links).execute();
  return emailVerified;
}

function linksOf(tx: Tx, userId: string) {
  return tx
    .selectFrom("identity.verification")
    .where("value", "=", userId)
    .where("identifier", "like", `${hashPrefix}%`);
}
