import { readFileSync } from "node:fs";
import type pg from "pg";
import { bookingTransitions, hold } from "#contract/life-cycle.ts";
import type { CardProvider } from "#server/testing/cards.ts";
import type { Shop } from "#server/testing/shop.ts";

/** A write acknowledged to a client, named as in `audit_log`: `{ verb: "hold", id: bookingId }`. */
export type Acknowledged = { verb: string; id: string };

export type Ledger = Awaited<ReturnType<CardProvider["ledger"]>>;

const invariants = readFileSync(new URL("./invariants.sql", import.meta.url), "utf8");

const lifeCycle = [
  { verb: "hold", from: null, to: hold.to },
  ...Object.entries(bookingTransitions).flatMap(([verb, { from, to }]) =>
    from.map((state) => ({ verb, from: state, to })),
  ),
];

/** Returns a sentence for each violation. Meaningful only when no work is pending. */
export async function checkInvariants(
  database: Pick<pg.Pool, "query">,
  ledger: Ledger,
  acknowledged: readonly Acknowledged[],
  now = new Date(),
): Promise<string[]> {
  const given = [ledger, acknowledged, lifeCycle].map((one) => JSON.stringify(one));
  const { rows } = await database.query<{ sentence: string }>(invariants, [...given, now]);
  return rows.map(({ sentence }) => sentence);
}

export async function violationsIn(
  { pool, cards, clock }: Shop,
  acknowledged: readonly Acknowledged[] = [],
): Promise<string[]> {
  return await checkInvariants(pool, await cards.ledger(), acknowledged, clock.now());
}
