import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type pg from "pg";
import type { Cards } from "#server/adapters/cards/port.ts";
import type { DB } from "#server/db/schema.ts";
import type { Deps } from "#server/deps.ts";

/** Steps are queries and calls to the card provider. `begin` and the next query are one step. */
export type Gate = {
  /** Runs `happening` before step `at`, from 0. If it throws, this and all later steps fail. */
  before(at: number, happening: () => Promise<void>, steps?: Steps): void;
  /** Whether step `at` was reached. */
  met(): boolean;
  /** `isInner`: between a transaction's first query and its `commit`. */
  pass(isInner?: boolean): Promise<void>;
  /** Throws if a step has failed. */
  requireOpen(): void;
};

/** `boundaries` skips inner queries, whose failure rolls back like a failure before `commit`. */
export type Steps = "all" | "boundaries";

export function createGate(): Gate {
  let step = 0;
  let steps: Steps = "all";
  let at = -1;
  let happening: () => Promise<void> = async () => {};
  let closed: unknown;
  return {
    before(wanted, what, which = "all") {
      [step, at, happening, closed, steps] = [0, wanted, what, undefined, which];
    },
    met: () => step > at,
    requireOpen() {
      if (closed !== undefined) throw closed;
    },
    async pass(isInner = false) {
      if (closed !== undefined) throw closed;
      if (isInner && steps === "boundaries") return;
      if (step++ !== at) return;
      await happening().catch((error: unknown) => {
        closed = error;
        throw error;
      });
    },
  };
}

export function throughGate(deps: Deps, pool: pg.Pool, gate: Gate): Deps {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: gatePool(pool, gate) }) });
  return { ...deps, db, cards: gateCards(deps.cards, gate) };
}

function gatePool(pool: pg.Pool, gate: Gate): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const passQuery = createQueryCounter(gate);
      return new Proxy(client, {
        get(target, name) {
          if (name === "release") return (destroy?: boolean) => target.release(destroy);
          if (name !== "query") return Reflect.get(target, name, target);
          return async (...query: [string, unknown[]]) => {
            await passQuery(query[0]);
            return await target.query(...query);
          };
        },
      });
    },
  };
}

function createQueryCounter(gate: Gate): (query: string) => Promise<void> {
  /** Undefined outside a transaction. */
  let queries: number | undefined;
  return async (query) => {
    if (query === "begin") {
      gate.requireOpen();
      queries = 0;
      return;
    }
    const isEnd = query === "commit" || query === "rollback";
    await gate.pass(!isEnd && (queries ?? 0) > 0);
    if (isEnd) queries = undefined;
    else if (queries !== undefined) queries += 1;
  };
}

function gateCards(cards: Cards, gate: Gate): Cards {
  const gated =
    <A, B>(call: (given: A) => Promise<B>) =>
    async (given: A) => {
      await gate.pass();
      return await call(given);
    };
  return {
    ...cards,
    openIntent: gated(cards.openIntent),
    findIntent: gated(cards.findIntent),
    cancelIntent: gated(cards.cancelIntent),
    refund: gated(cards.refund),
    createTransfer: gated(cards.createTransfer),
    findTransfers: gated(cards.findTransfers),
    reverseTransfer: gated(cards.reverseTransfer),
    readSellerAccount: gated(cards.readSellerAccount),
    readSellerBalance: async (account, currency) => {
      await gate.pass();
      return await cards.readSellerBalance(account, currency);
    },
  };
}
