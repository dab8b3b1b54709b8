import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ScryptCost } from "../../../config.ts";
import { isKeyOf, parseFirebaseHash } from "./firebase-scrypt.ts";
import type { ScryptThreads } from "./scrypt-threads.ts";

export type PasswordHashing = ReturnType<typeof passwordHashing>;

/** Verifies with each hash's own parameters (decisions/passwords-and-second-factors). */
export function passwordHashing(threads: ScryptThreads, cost: ScryptCost) {
  const clients = new AsyncLocalStorage<string>();

  return {
    /** Queues the hashing jobs in `work` under this client (an IPv4 address or IPv6 network). */
    onBehalfOf: <T>(client: string, work: () => Promise<T>) => clients.run(client, work),
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16).toString("base64url");
      return formatHash({ cost, salt, key: await derive(password, { cost, salt }) });
    },
    /** `isOutdated`: whether the password should be hashed again. */
    async verify(password: string, hash: string) {
      const stored = parseFirebaseHash(hash) ?? parseHash(hash);
      const derived = await derive(password, stored);
      const isRight =
        "mask" in stored ? isKeyOf(stored, derived) : timingSafeEqual(derived, stored.key);
      // If a wrong password took less time than an unknown email, it would reveal the account.
      const missing = Math.floor(workOf(cost) / workOf(stored.cost)) - 1;
      if (!isRight && missing > 0)
        await derive(password, { ...stored, cost: { ...stored.cost, p: missing } });
      const isOutdated = "mask" in stored || formatHash(stored) !== formatHash({ ...stored, cost });
      return { isRight, isOutdated };
    },
  };

  function derive(password: string, { cost, salt }: { cost: ScryptCost; salt: string | Buffer }) {
    // A salt in bytes is from Firebase, which does not normalize passwords.
    const text = typeof salt === "string" ? password.normalize("NFKC") : password;
    const job = { password: text, salt, length: keyLength, cost };
    return threads.derive(job, clients.getStore() ?? "");
  }
}

function workOf({ N, r, p }: ScryptCost): number {
  return N * r * p;
}

/** `key` is derived with the text of `salt`, not with the bytes that the text encodes. */
type ScryptHash = { cost: ScryptCost; salt: string; key: Buffer };

/** In bytes. */
export const keyLength = 64;

export function formatHash({ cost: { N, r, p }, salt, key }: ScryptHash): string {
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${salt}$${key.toString("base64url")}`;
}

export function parseHash(hash: string): ScryptHash {
  const named = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]{86})$/.exec(hash);
  if (!named) throw new Error("The password hash has an unknown format.");
  const [, ln, r, p, salt = "", key = ""] = named;
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
  return { cost, salt, key: Buffer.from(key, "base64url") };
}
