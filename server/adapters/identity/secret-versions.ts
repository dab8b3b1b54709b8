import { createHmac } from "node:crypto";
import type { SecretConfig } from "better-auth/crypto";
import type { Secrets } from "../../keyed-hash.ts";

/**
 * `SECRET` and `PREVIOUS_SECRET` as better-auth's `secrets`. better-auth encrypts with the first
 * secret, and decrypts by the version in the ciphertext's prefix (`$ba$version$`). The version is
 * derived from the secret, so it stays the same in `PREVIOUS_SECRET`.
 */
export function secretVersions({ secret, previousSecret }: Secrets) {
  const secrets = [{ version: versionOf(secret), value: secret }];
  if (previousSecret !== undefined && previousSecret !== secret)
    secrets.push({ version: versionOf(previousSecret), value: previousSecret });
  return secrets;
}

/** The secrets for better-auth's `symmetricEncrypt` and `symmetricDecrypt`. */
export function secretConfig(secrets: Secrets): SecretConfig {
  const keys = new Map(secretVersions(secrets).map(({ version, value }) => [version, value]));
  return { keys, currentVersion: versionOf(secrets.secret), legacySecret: secrets.secret };
}

/** The start of every ciphertext encrypted with `SECRET` (better-auth's `formatEnvelope`). */
export function envelopePrefix({ secret }: Secrets): string {
  return `$ba$${versionOf(secret)}$`;
}

function versionOf(secret: string): number {
  return createHmac("sha256", secret).update("secret version").digest().readUInt32BE();
}
