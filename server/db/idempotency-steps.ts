import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import type { DB } from "./schema.ts";

type Tx = Kysely<DB>;

/** Stores each verb's result in the verb's transaction, for retries (decisions/idempotency). */
export type IdempotencySteps = {
  /** Throws if the request already ran a verb of this name, whose result would be replayed. */
  begin(verb: string): void;
  find(tx: Tx, verb: string): Promise<{ result: unknown } | undefined>;
  /** Throws if a concurrent request with the same key stored its result first. */
  store(tx: Tx, verb: string, result: unknown): Promise<void>;
};

export const idempotencySteps = new AsyncLocalStorage<IdempotencySteps>();
