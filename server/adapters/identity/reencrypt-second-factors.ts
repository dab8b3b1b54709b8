import { formatEnvelope, symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../../clock.ts";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { DB } from "../../db/schema.ts";
import { findMemberByEmail } from "../../features/members/members.ts";
import type { Secrets } from "./signed-cookies.ts";
import { secretConfig } from "./versioned-secrets.ts";

type Stored = { id: string; userId: string; secret: string; backupCodes: string };

/**
 * Encrypts stored TOTP secrets and backup codes under the present `SECRET` where they are under the one
 * before, so that the one before can be unset afterwards. Answers how many neither of the two decrypts.
 */
export async function reencryptSecondFactors(
  { db, clock }: { db: Kysely<DB>; clock: Clock },
  secrets: Secrets,
): Promise<{ unreadable: number }> {
  const current = formatEnvelope(secretConfig(secrets).currentVersion, "");
  const rows = await db
    .selectFrom("identity.twoFactor")
    .select(["id", "userId", "secret", "backupCodes"])
    .where(({ or, eb }) =>
      or([eb("secret", "not like", `${current}%`), eb("backupCodes", "not like", `${current}%`)]),
    )
    .execute();
  let unreadable = 0;
  for (const row of rows) {
    const renewed = await reencrypt(row, secrets).catch(() => undefined);
    if (renewed) await store({ db, clock }, row, renewed);
    else unreadable += 1;
  }
  return { unreadable };
}

async function reencrypt({ secret, backupCodes }: Stored, secrets: Secrets) {
  const key = secretConfig(secrets);
  const anew = async (data: string) =>
    await symmetricEncrypt({ key, data: await decrypt(data, secrets) });
  return { secret: await anew(secret), backupCodes: await anew(backupCodes) };
}

/** Without a version, as before versions were written, it may be under either secret. */
async function decrypt(data: string, secrets: Secrets): Promise<string> {
  const key = secretConfig(secrets);
  const { previousSecret: legacySecret } = secrets;
  return await symmetricDecrypt({ key, data }).catch(async (error: unknown) => {
    if (legacySecret === undefined) throw error;
    return await symmetricDecrypt({ key: { ...key, legacySecret }, data });
  });
}

/** Unless it changed meanwhile: then it is under the present secret already. */
async function store(
  { db, clock }: { db: Kysely<DB>; clock: Clock },
  { id, userId, secret, backupCodes }: Stored,
  renewed: { secret: string; backupCodes: string },
): Promise<void> {
  await transact(db, "reencryptSecondFactor", async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("identity.twoFactor")
      .set(renewed)
      .where("id", "=", id)
      .where("secret", "=", secret)
      .where("backupCodes", "=", backupCodes)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await recordFor(tx, userId, clock.now());
  });
}

async function recordFor(tx: Tx, userId: string, at: Date): Promise<void> {
  const user = await tx
    .selectFrom("identity.user")
    .select("email")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const member = await findMemberByEmail(tx, user.email);
  if (!member) return;
  const entry = { actor: null, object: "member" as const, objectId: member.id };
  await recordAudit(tx, { at, ...entry, verb: "re-encrypt second factor" });
}
