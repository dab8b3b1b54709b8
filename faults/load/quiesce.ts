import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { CardProvider } from "#server/testing/cards.ts";
import { checkInvariants } from "../invariants.ts";
import type { Journal } from "./acknowledged-calls.ts";
import { hurrySettlements } from "./settle-load.ts";

/**
 * Waits until no work is pending; returns the violations left. A killed process's jobs run again after two minutes, and
 * every look makes the server settle deals and the database check every invariant: after some seconds one a second.
 */
export async function violationsWhenIdle(
  { pool, desk, journal }: { pool: pg.Pool; desk: CardProvider; journal: Journal },
  timeoutMs = 240_000,
): Promise<string[]> {
  const start = Date.now();
  for (const until = start + timeoutMs; ; await wait(Date.now() - start < 5_000 ? 200 : 1_000)) {
    await hurrySettlements(pool);
    const broken = await checkInvariants(pool, await desk.ledger(), journal.acknowledged);
    if (broken.length === 0 || Date.now() > until) return [...broken, ...journal.wrong];
  }
}

/** Counts the violations by their effect on users. */
export function countViolations(broken: string[]) {
  const of = (pattern: RegExp) => broken.filter((sentence) => pattern.test(sentence)).length;
  return {
    lost: of(/^Somebody was told/),
    doubled: of(/live bookings|charged [2-9]\d* times|recorded [2-9]\d* times/),
    charged: of(
      /recorded 0 times|way back|were given back|payments kept|were kept|Refund .+ nowhere/,
    ),
  };
}
