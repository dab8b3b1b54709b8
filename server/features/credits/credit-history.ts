import type { CreditChange } from "#contract/invitations.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";

/** A change of a member's credit; `key`: of its journal. */
export type Change = { kind: CreditChange["kind"]; key: string; at: Date; cents: number };

/** Credit that was earned at once, and what of it is left. */
export type CreditLot = { earnedAt: Date; cents: number };

/** What is left of each earning, oldest first: the oldest is spent first, and what comes back is the newest spent. */
export function creditLots(changes: readonly Change[]): CreditLot[] {
  const gone = changes
    .filter(({ kind }) => kind !== "credit_earned")
    .reduce((sum, { cents }) => sum - cents, 0);
  let left = gone;
  return changes
    .filter(({ kind }) => kind === "credit_earned")
    .map(({ at, cents }) => {
      const taken = Math.min(cents, left);
      left -= taken;
      return { earnedAt: at, cents: cents - taken };
    })
    .filter(({ cents }) => cents > 0);
}

/** The changes of a member's credit, oldest first; positive if it grew. */
export async function readCreditChanges(tx: Tx, memberId: string): Promise<Change[]> {
  const rows = await tx
    .selectFrom("ledger_journals")
    .innerJoin("ledger_entries", "journal_id", "id")
    .select(["kind", "idempotency_key as key", "at", "cents"])
    .where("member_id", "=", memberId)
    .where("account", "=", "credits")
    .orderBy("id")
    .execute();
  return rows.map(({ kind, cents, ...row }) => ({
    ...row,
    kind: kind as Change["kind"],
    cents: -Number(cents),
  }));
}

/** As the member sees them, newest first. */
export function toCreditChanges(changes: readonly Change[]): CreditChange[] {
  return changes.toReversed().map(({ kind, key, at, cents }) => ({
    kind,
    forPurchase: kind === "credit_earned" && key.endsWith(":purchase"),
    at: at.toISOString(),
    amount: toDollars(cents),
  }));
}
