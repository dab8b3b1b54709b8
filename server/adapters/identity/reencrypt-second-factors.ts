import type { Kysely } from "kysely";
import { transact } from "../../db/database.ts";
import type { DB } from "../../db/schema.ts";
import type { Secrets } from "../../keyed-hash.ts";
import type { IdentityHooks } from "./port.ts";
import { findEmail } from "./second-factor-store.ts";
import { envelopePrefix, secretConfig } from "./secret-versions.ts";

type Deps = { db: Kysely<DB>; hooks: IdentityHooks };
type Stored = { id: string; userId: string; secret: string; backupCodes: string };

/**
 * Re-encrypts TOTP secrets and backup codes stored under `PREVIOUS_SECRET` with `SECRET`, so that
 * `PREVIOUS_SECRET` can be unset. Returns the number of rows that neither secret can decrypt
 * (decisions/passwords-and-second-factors).
 */
export async function reencryptSecondFactors(
  deps: Deps,
  secrets: Secrets,
): Promise<{ unreadable: number }> {
  const current = envelopePrefix(secrets);
  const rows = await deps.db
    .selectFrom("identity.twoFactor")
    .select(["id", "userId", "secret", "backupCodes"])
    .where(({ or, eb }) =>
      or([eb("secret", "not like", `${current}%`), eb("backupCodes", "not like", `${current}%`)]),
    )
    .execute();
  let unreadable = 0;
  for (const row of rows) {
    const renewed = await reencrypt(row, secrets).catch(() => undefined);
    if (renewed) await store(deps, row, renewed);
    else unreadable += 1;
  }
  return { unreadable };
}

async function reencrypt({ secret, backupCodes }: Stored, secrets: Secrets) {
  const { symmetricEncrypt } = await import("better-auth/crypto");
  const key = secretConfig(secrets);
  const renew = async (data: string) =>
    await symmetricEncrypt({ key, data: await decrypt(data, secrets) });
  return { secret: await renew(secret), backupCodes: await renew(backupCodes) };
}

/** Data without a version prefix, from older releases, may be encrypted with either secret. */
async function decrypt(data: string, secrets: Secrets): Promise<string> {
  const { symmetricDecrypt } = await import("better-auth/crypto");
  const key = secretConfig(secrets);
  const { previousSecret: legacySecret } = secrets;
  return await symmetricDecrypt({ key, data }).catch(async (error: unknown) => {
    if (legacySecret === undefined) throw error;
    return await symmetricDecrypt({ key: { ...key, legacySecret }, data });
  });
}

/** Skips a row that has changed since it was read: its new data is encrypted with `SECRET`. */
async function store(
  { db, hooks }: Deps,
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
    const email = numUpdatedRows > 0n ? await findEmail(tx, userId) : undefined;
    if (email === undefined) return;
    await hooks.onSecondFactorChange(tx, {
      email,
      by: "program",
      action: "re-encrypt second factor",
    });
  });
}
