import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type pg from "pg";
import type { Cards } from "#server/adapters/cards/port.ts";
import type { DB } from "#server/db/schema.ts";
import type { Deps } from "#server/deps.ts";

/**
 * Steps are queries, and the calls that `gateCards` lists. `begin` and the next query are one step.
 */
export type Gate = {
  /** Runs `happening` before step `at`, counted from 0. If it throws, all steps from `at` fail. */
  before(at: number, happening: () => Promise<void>, steps?: Steps): void;
  met(): boolean;
  /** Counts a step. `isMinor`: a read, or a transaction's query other than commit or rollback. */
  pass(isMinor?: boolean): Promise<void>;
  requireOpen(): void;
};

/**
 * `boundaries` skips minor queries. A failure before a minor query leaves the same state as a
 * failure before the next commit, provider call or single write.
 */
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
    async pass(isMinor = false) {
      if (closed !== undefined) throw closed;
      if (isMinor && steps === "boundaries") return;
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
      const passQuery = createQueryPass(gate);
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

function createQueryPass(gate: Gate): (query: string) => Promise<void> {
  let inTransaction = false;
  return async (query) => {
    if (query === "begin") {
      gate.requireOpen();
      inTransaction = true;
      return;
    }
    const isEnd = query === "commit" || query === "rollback";
    await gate.pass(!isEnd && (inTransaction || query.startsWith("select")));
    if (isEnd) inTransaction = false;
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
