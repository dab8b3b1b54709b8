import { createCipheriv, timingSafeEqual } from "node:crypto";
import type { ScryptCost } from "../../../config.ts";

/** Hash parameters, as the Firebase console shows them. */
export type FirebaseScrypt = {
  signerKey: Buffer;
  saltSeparator: Buffer;
  rounds: number;
  memCost: number;
};

/** `mask`: the AES-CTR key stream, whose key is derived from the password. */
type FirebaseHash = { cost: ScryptCost; salt: Buffer; mask: Buffer };

export function parseHashConfig(text: string): FirebaseScrypt | undefined {
  const settingOf = (name: string) => new RegExp(`${name}:\\s*"?([\\w+/=]+)`).exec(text)?.[1];
  const [key, separator] = [settingOf("base64_signer_key"), settingOf("base64_salt_separator")];
  const [rounds, memCost] = [Number(settingOf("rounds")), Number(settingOf("mem_cost"))];
  const isCost = rounds >= 1 && rounds <= 8 && memCost >= 1 && memCost <= 14;
  if (!key || !separator || !isCost) return undefined;
  const [signerKey, saltSeparator] = [Buffer.from(key, "base64"), Buffer.from(separator, "base64")];
  return { signerKey, saltSeparator, rounds, memCost };
}

/**
 * Formats a hash to store. Contains only the key stream, so that verification needs no signer key
 * (github.com/firebase/scrypt). Undefined if the hash has the wrong length.
 */
export function storeFirebaseHash(
  { passwordHash, salt }: { passwordHash: string; salt: string },
  { signerKey, saltSeparator, rounds, memCost }: FirebaseScrypt,
): string | undefined {
  const encrypted = Buffer.from(passwordHash, "base64");
  if (encrypted.length !== signerKey.length) return undefined;
  const mask = encrypted.map((byte, at) => byte ^ Number(signerKey[at]));
  const salted = Buffer.concat([Buffer.from(salt, "base64"), saltSeparator]);
  const parts = [salted, Buffer.from(mask)].map((bytes) => bytes.toString("base64url"));
  return `$firebase-scrypt$ln=${memCost},r=${rounds},p=1$${parts.join("$")}`;
}

export function parseFirebaseHash(hash: string): FirebaseHash | undefined {
  const named = /^\$firebase-scrypt\$ln=(\d+),r=(\d+),p=1\$([\w-]+)\$([\w-]+)$/.exec(hash);
  if (!named) return undefined;
  const [, ln, r, salt = "", mask = ""] = named;
  return {
    cost: { N: 2 ** Number(ln), r: Number(r), p: 1 },
    salt: Buffer.from(salt, "base64url"),
    mask: Buffer.from(mask, "base64url"),
  };
}

export function isKeyOf({ mask }: FirebaseHash, derived: Buffer): boolean {
  const cipher = createCipheriv("aes-256-ctr", derived.subarray(0, 32), Buffer.alloc(16));
  return timingSafeEqual(cipher.update(Buffer.alloc(mask.length)), mask);
}
