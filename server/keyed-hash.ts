import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

export type Secrets = { secret: string; previousSecret: string | undefined };

/** Derives the key for one purpose from `SECRET`, so that a key never serves two purposes. */
export function keyFor(purpose: string, secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32));
}

/** The key from `SECRET`, followed by the key from `PREVIOUS_SECRET`, if there is one. */
export function keysFor(purpose: string, { secret, previousSecret }: Secrets): Keys {
  const key = keyFor(purpose, secret);
  return previousSecret === undefined ? [key] : [key, keyFor(purpose, previousSecret)];
}

type Keys = [Uint8Array, ...Uint8Array[]];

/** Without the key, nobody can guess the text from its hash. */
export function keyedHash(key: Uint8Array | string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

export function keyedHashes([key, ...older]: Keys, text: string): [string, ...string[]] {
  return [keyedHash(key, text), ...older.map((one) => keyedHash(one, text))];
}

/** A random token for an emailed link. */
export function randomToken(): string {
  return randomBytes(24).toString("base64url");
}

/** The database stores only this hash, so that the database's readers can't use the link. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Compares signatures or hashes in a time that doesn't depend on their content. */
export function isSameHash(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
