import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type pg from "pg";
import type { Cards } from "#server/adapters/cards/port.ts";
import type { DB } from "#server/db/schema.ts";
import type { Deps } from "#server/deps.ts";

/**
 * Intercepts every query, `begin` and `commit` included, and every call to the card provider, to run something
 * before one of them.
 */
export type Gate = {
  /** Runs `happening` before step `at`, counted from 0 from now on. If it throws, that step and all later ones fail. */
  before(at: number, happening: () => Promise<void>): void;
  /** Whether that step was reached. */
  met(): boolean;
  pass(): Promise<void>;
};

export function createGate(): Gate {
  let step = 0;
  let at = -1;
  let happening: () => Promise<void> = async () => {};
  let closed: unknown;
  return {
    before(wanted, what) {
      [step, at, happening, closed] = [0, wanted, what, undefined];
    },
    met: () => step > at,
    async pass() {
      if (closed !== undefined) throw closed;
      if (step++ !== at) return;
      await happening().catch((error: unknown) => {
        closed = error;
        throw error;
      });
    },
  };
}

/** The same deps with database and card provider behind the gate. */
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
      return new Proxy(client, {
        get(target, name) {
          if (name === "release") return (destroy?: boolean) => target.release(destroy);
          if (name !== "query") return Reflect.get(target, name, target);
          return async (...query: [string, unknown[]]) => {
            await gate.pass();
            return await target.query(...query);
          };
        },
      });
    },
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
    refundPart: gated(cards.refundPart),
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
