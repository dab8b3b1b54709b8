import { createHmac } from "node:crypto";
import type { SecretConfig } from "better-auth/crypto";
import type { Secrets } from "./signed-cookies.ts";

/**
 * `SECRET` and the one before it as better-auth's `secrets`: it encrypts under the first, and decrypts by
 * the version it writes in front of what it encrypts (`$ba$version$`). Versions are made of the secrets
 * themselves, so that a secret keeps its version when it becomes the one before.
 */
export function versionedSecrets({ secret, previousSecret }: Secrets) {
  const secrets = [{ version: versionOf(secret), value: secret }];
  if (previousSecret !== undefined && previousSecret !== secret)
    secrets.push({ version: versionOf(previousSecret), value: previousSecret });
  return secrets;
}

/** The same for better-auth's `symmetricEncrypt` and `symmetricDecrypt`. */
export function secretConfig(secrets: Secrets): SecretConfig {
  const keys = new Map(versionedSecrets(secrets).map(({ version, value }) => [version, value]));
  return { keys, currentVersion: versionOf(secrets.secret), legacySecret: secrets.secret };
}

function versionOf(secret: string): number {
  return createHmac("sha256", secret).update("secret version").digest().readUInt32BE();
}
