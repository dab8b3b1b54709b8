import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ScryptCost } from "../../../settings/scrypt-cost.ts";
import type { ScryptThreads } from "./scrypt-threads.ts";

export type PasswordHashing = {
  /** Queues passwords hashed within `work` under this network address. */
  onBehalfOf<T>(client: string, work: () => Promise<T>): Promise<T>;
  hash(password: string): Promise<string>;
  /** Whether the password is right, and whether its hash has outdated parameters. */
  verify(password: string, hash: string): Promise<{ isRight: boolean; isOutdated: boolean }>;
};

const length = 64;

/** Hashes passwords with scrypt at `cost`; verifies with the parameters stored in each hash (decision 0021). */
export function passwordHashing(threads: ScryptThreads, cost: ScryptCost): PasswordHashing {
  const clients = new AsyncLocalStorage<string>();

  return {
    onBehalfOf: (client, work) => clients.run(client, work),
    async hash(password) {
      const salt = randomBytes(16).toString("base64url");
      return format({ cost, salt, key: await derive(password, { cost, salt }) });
    },
    async verify(password, hash) {
      const stored = parse(hash);
      const isRight = timingSafeEqual(await derive(password, stored), stored.key);
      // Take as long as for an unknown address, whose password is hashed with the current cost.
      const missing = Math.floor(workOf(cost) / workOf(stored.cost)) - 1;
      if (!isRight && missing > 0)
        await derive(password, { ...stored, cost: { ...stored.cost, p: missing } });
      return { isRight, isOutdated: format(stored) !== format({ ...stored, cost }) };
    },
  };

  function derive(password: string, { cost, salt }: { cost: ScryptCost; salt: string }) {
    const job = { password: password.normalize("NFKC"), salt, length, cost };
    return threads.derive(job, clients.getStore() ?? "");
  }
}

type Stored = { cost: ScryptCost; salt: string; key: Buffer };

/** The parameters of better-auth's hashes, `salt:key`, which do not store any. */
const betterAuthCost: ScryptCost = { N: 16_384, r: 16, p: 1 };

function format({ cost: { N, r, p }, salt, key }: Stored): string {
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${salt}$${key.toString("base64url")}`;
}

function parse(hash: string): Stored {
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

function workOf({ N, r, p }: ScryptCost): number {
  return N * r * p;
}
