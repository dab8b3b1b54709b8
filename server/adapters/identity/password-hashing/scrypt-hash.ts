import type { ScryptCost } from "../../../settings/scrypt-cost.ts";

/** A stored password. `key` is derived with `cost` and the text of `salt`. */
export type ScryptHash = { cost: ScryptCost; salt: string; key: Buffer };

/** Length of the derived key in bytes. */
export const keyLength = 64;

/** Parameters of better-auth's hashes, whose format (`salt:key`) doesn't contain parameters. */
const betterAuthCost: ScryptCost = { N: 16_384, r: 16, p: 1 };

export function formatHash({ cost: { N, r, p }, salt, key }: ScryptHash): string {
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${salt}$${key.toString("base64url")}`;
}

export function parseHash(hash: string): ScryptHash {
  const named = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]{86})$/.exec(hash);
  if (named) {
    const [, ln, r, p, salt = "", key = ""] = named;
    const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
    return { cost, salt, key: Buffer.from(key, "base64url") };
  }
  const [, salt, key] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(hash) ?? [];
  if (salt === undefined || key === undefined)
    throw new Error("The password hash has an unknown format.");
  return { cost: betterAuthCost, salt, key: Buffer.from(key, "hex") };
}
