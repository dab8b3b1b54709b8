import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import type { DB } from "./schema.ts";

type Tx = Kysely<DB>;

/** The results of a request's verbs, each stored in its verb's transaction, for a retry (decisions/idempotency). */
export type IdempotencySteps = {
  /** Throws if the request has run a verb of this name before: one would replay the other's result. */
  begin(verb: string): void;
  find(tx: Tx, verb: string): Promise<{ result: unknown } | undefined>;
  /** Throws if a concurrent request with the same key has stored it first. */
  store(tx: Tx, verb: string, result: unknown): Promise<void>;
};

export const idempotencySteps = new AsyncLocalStorage<IdempotencySteps>();
