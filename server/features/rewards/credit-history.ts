import type { CreditChange } from "#contract/invitations.ts";
import { toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";

/** A change in a member's credit. `key`: the idempotency key of its journal. */
type Change = { kind: CreditChange["kind"]; key: string; at: Date; cents: number };

/** Credit that was earned at one time. `cents`: the unspent part. */
type CreditLot = { earnedAt: Date; expiresAt: Date; cents: number };

/** Minimum time to spend credit that came back from a purchase. */
export const returnedMs = 30 * 24 * 3_600_000;

/**
 * Remaining credit in the order it is spent, soonest-expiring first. Earned credit expires after
 * `creditMs`, but credit returned from a purchase can be spent for at least 30 days.
 */
export function creditLots(changes: readonly Change[], creditMs: number): CreditLot[] {
  const lots: (CreditLot & { earned: number })[] = [];
  for (const { kind, at, cents } of changes) {
    if (kind === "credit_earned") {
      const expiresAt = new Date(at.getTime() + creditMs);
      lots.push({ earnedAt: at, expiresAt, cents, earned: cents });
    } else if (kind === "credit_returned") giveBack(lots, { at, cents });
    else take(lots, -cents);
  }
  return lots.filter(({ cents }) => cents > 0).sort(byExpiry);
}

/** Takes the soonest-expiring credit first. */
function take(lots: CreditLot[], cents: number): void {
  let left = cents;
  for (const lot of lots.toSorted(byExpiry)) {
    const taken = Math.min(lot.cents, left);
    lot.cents -= taken;
    left -= taken;
  }
}

function byExpiry(a: CreditLot, b: CreditLot): number {
  return a.expiresAt.getTime() - b.expiresAt.getTime();
}

function giveBack(
  lots: (CreditLot & { earned: number })[],
  { at, cents }: { at: Date; cents: number },
): void {
  const atLeast = at.getTime() + returnedMs;
  let left = cents;
  for (const lot of lots.toReversed()) {
    const given = Math.min(lot.earned - lot.cents, left);
    if (given === 0) continue;
    lot.cents += given;
    lot.expiresAt = new Date(Math.max(lot.expiresAt.getTime(), atLeast));
    left -= given;
  }
}

/** The changes of a member's credit, oldest first. A positive change adds credit. */
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

/** Converts changes to the format that the member sees, newest first. */
export function toCreditChanges(changes: readonly Change[]): CreditChange[] {
  return changes.toReversed().map(({ kind, key, at, cents }) => ({
    kind,
    ownDiscount: kind === "credit_earned" && key.endsWith(":friend"),
    at: at.toISOString(),
    amount: toDollars(cents),
  }));
}
