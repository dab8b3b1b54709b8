import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ScryptCost } from "../../../settings/scrypt-cost.ts";
import { isKeyOf, parseFirebaseHash } from "./firebase-scrypt.ts";
import { formatHash, keyLength, parseHash } from "./scrypt-hash.ts";
import type { ScryptThreads } from "./scrypt-threads.ts";

export type PasswordHashing = {
  /** Runs `work`. Passwords hashed by `work` are queued under this network address. */
  onBehalfOf<T>(client: string, work: () => Promise<T>): Promise<T>;
  hash(password: string): Promise<string>;
  /** Whether the password is correct, and whether its hash has outdated parameters. */
  verify(password: string, hash: string): Promise<{ isRight: boolean; isOutdated: boolean }>;
};

/**
 * Hashes passwords with scrypt at `cost`. Verifies with the parameters stored in each hash
 * (decisions/passwords-and-second-factors).
 */
export function passwordHashing(threads: ScryptThreads, cost: ScryptCost): PasswordHashing {
  const clients = new AsyncLocalStorage<string>();

  return {
    onBehalfOf: (client, work) => clients.run(client, work),
    async hash(password) {
      const salt = randomBytes(16).toString("base64url");
      return formatHash({ cost, salt, key: await derive(password, { cost, salt }) });
    },
    async verify(password, hash) {
      const stored = parseFirebaseHash(hash) ?? parseHash(hash);
      const derived = await derive(password, stored);
      const isRight =
        "mask" in stored ? isKeyOf(stored, derived) : timingSafeEqual(derived, stored.key);
      // Takes as long as for an unknown address, so that timing doesn't reveal who has an account.
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
