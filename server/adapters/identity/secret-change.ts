import { createHmac } from "node:crypto";
import type { SecretConfig } from "better-auth/crypto";
import type { Tx } from "../../db/database.ts";
import { isSameHash, type Secrets } from "../../keyed-hash.ts";

/**
 * better-auth encrypts with the first secret, and decrypts by the version in the prefix
 * `$ba$version$`. The version is derived from the secret, so a secret that becomes
 * `PREVIOUS_SECRET` keeps its version.
 */
export function secretVersions({ secret, previousSecret }: Secrets) {
  const secrets = [{ version: versionOf(secret), value: secret }];
  if (previousSecret !== undefined && previousSecret !== secret)
    secrets.push({ version: versionOf(previousSecret), value: previousSecret });
  return secrets;
}

function secretConfig(secrets: Secrets): SecretConfig {
  const keys = new Map(secretVersions(secrets).map(({ version, value }) => [version, value]));
  return { keys, currentVersion: versionOf(secrets.secret) };
}

/** The prefix that better-auth's `formatEnvelope` writes. */
function envelopePrefix({ secret }: Secrets): string {
  return `$ba$${versionOf(secret)}$`;
}

function versionOf(secret: string): number {
  return createHmac("sha256", secret).update("secret version").digest().readUInt32BE();
}

/** Re-signs cookies after a change of `SECRET`. Their format is URL-encoded `value.signature`. */
export function reSignCookies(headers: Headers, { secret, previousSecret }: Secrets): Headers {
  const cookies = headers.get("cookie");
  if (previousSecret === undefined || cookies === null) return headers;
  const renewed = new Headers(headers);
  const signed = cookies.split("; ").map((cookie) => {
    const [name = "", text = ""] = cookie.split("=", 2);
    const [, value = "", signature = ""] = /^(.+)\.([\w+/]{43}=)$/.exec(decoded(text)) ?? [];
    if (!isSameHash(signature, sign(value, previousSecret))) return cookie;
    return `${name}=${encodeURIComponent(`${value}.${sign(value, secret)}`)}`;
  });
  renewed.set("cookie", signed.join("; "));
  return renewed;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function sign(value: string, secret: string): string {
  return createHmac("sha256", secret).update(value).digest("base64");
}

type Stored = { id: string; secret: string; backupCodes: string };

/**
 * Re-encrypts with `SECRET`, so that `PREVIOUS_SECRET` can be unset
 * (decisions/passwords-and-second-factors). `unreadable` counts the rows that neither secret can
 * decrypt.
 */
export async function reencryptSecondFactors(
  db: Tx,
  secrets: Secrets,
): Promise<{ unreadable: number }> {
  const current = envelopePrefix(secrets);
  const rows = await db
    .selectFrom("identity.twoFactor")
    .select(["id", "secret", "backupCodes"])
    .where(({ or, eb }) =>
      or([eb("secret", "not like", `${current}%`), eb("backupCodes", "not like", `${current}%`)]),
    )
    .execute();
  let unreadable = 0;
  for (const row of rows) {
    const renewed = await reencrypt(row, secrets).catch(() => undefined);
    if (renewed) await store(db, row, renewed);
    else unreadable += 1;
  }
  return { unreadable };
}

async function reencrypt({ secret, backupCodes }: Stored, secrets: Secrets) {
  const { symmetricDecrypt, symmetricEncrypt } = await import("better-auth/crypto");
  const key = secretConfig(secrets);
  const renew = async (data: string) =>
    await symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  return { secret: await renew(secret), backupCodes: await renew(backupCodes) };
}

/** Skips a row that has changed meanwhile: its new data is encrypted with `SECRET`. */
async function store(
  db: Tx,
  { id, secret, backupCodes }: Stored,
  renewed: { secret: string; backupCodes: string },
): Promise<void> {
  await db
    .updateTable("identity.twoFactor")
    .set(renewed)
    .where("id", "=", id)
    .where("secret", "=", secret)
    .where("backupCodes", "=", backupCodes)
    .execute();
}
