import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import type { DB } from "./schema.ts";

/**
 * What the verbs of one request with an Idempotency-Key answered. Each answer is kept in its verb's own
 * transaction, so a request that is asked again, even after a crash, goes on where it stopped.
 */
export type Replay = {
  /** Throws where a verb of this name was asked for in this request before: its answer would be the other's. */
  begin(verb: string): void;
  recall(tx: Kysely<DB>, verb: string): Promise<{ answered: unknown } | undefined>;
  /** Throws where another asking of the same request got there first. */
  keep(tx: Kysely<DB>, verb: string, answered: unknown): Promise<void>;
};

export const replay = new AsyncLocalStorage<Replay>();
