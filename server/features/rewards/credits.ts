import { sql } from "kysely";
import type { CreditChange } from "#contract/invitations.ts";
import { toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import { forEachId } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { postJournals } from "../ledger/post-journal.ts";

/** `key`: the idempotency key of the change's journal. */
type Change = { kind: CreditChange["kind"]; key: string; at: Date; cents: number };

/** `cents`: the unspent part of `earned`. */
type CreditLot = { expiresAt: Date; earned: number; cents: number };

/** Minimum time to spend credit that came back from a purchase. */
export const returnedMs = 30 * 24 * 3_600_000;

/**
 * Lists the unspent lots, soonest-expiring first. A lot expires `creditMs` after it was earned, but
 * not within `returnedMs` after any of its credit came back.
 */
export function creditLots(changes: readonly Change[], creditMs: number): CreditLot[] {
  const lots: CreditLot[] = [];
  for (const { kind, at, cents } of changes) {
    if (kind === "credit_earned") {
      const expiresAt = new Date(at.getTime() + creditMs);
      lots.push({ expiresAt, earned: cents, cents });
    } else if (kind === "credit_returned") giveBack(lots, { at, cents });
    else take(lots, -cents);
  }
  return lots.filter(({ cents }) => cents > 0).sort(byExpiry);
}

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

function giveBack(lots: CreditLot[], { at, cents }: Pick<Change, "at" | "cents">): void {
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

/** Lists the changes of a member's credit, oldest first. Positive `cents` add credit. */
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

export function toCreditChanges(changes: readonly Change[]): CreditChange[] {
  return changes.toReversed().map(({ kind, key, at, cents }) => ({
    kind,
    ownDiscount: kind === "credit_earned" && key.endsWith(":friend"),
    at: at.toISOString(),
    amount: toDollars(cents),
  }));
}

/** If expiry fails for a member, continues with the others and throws at the end. */
export async function expireCredits(deps: Deps): Promise<void> {
  const until = deps.clock.now();
  const before = new Date(until.getTime() - deps.config.invitations.creditMs);
  // Returned credit can expire later, so `expireCreditOf` checks each lot.
  const mayHaveExpired = deps.db.selectFrom("credit_accounts as a").where(sql<boolean>`
    balance_cents > 0 and (
      select sum(-cents) filter (where kind <> 'credit_earned' or at < ${before})
      from ledger_journals j join ledger_entries on journal_id = id
      where j.member_id = a.member_id and account = 'credits') > 0`);
  await forEachId(mayHaveExpired, "member_id", (memberId) =>
    transact(deps.db, `expireCredits ${memberId}`, (tx) =>
      expireCreditOf(tx, deps, { memberId, until }),
    ),
  );
}

type Expiry = { memberId: string; until: Date };

export async function expireCreditOf(
  tx: Tx,
  { config, shop, clock }: Pick<Deps, "config" | "shop" | "clock">,
  { memberId, until }: Expiry,
): Promise<void> {
  // The lock keeps a purchase from spending the credit at the same time.
  await tx
    .selectFrom("credit_accounts")
    .select("member_id")
    .where("member_id", "=", memberId)
    .forUpdate()
    .execute();
  const changes = await readCreditChanges(tx, memberId);
  const cents = creditLots(changes, config.invitations.creditMs)
    .filter(({ expiresAt }) => expiresAt <= until)
    .reduce((sum, lot) => sum + lot.cents, 0);
  if (cents === 0) return;
  const subject = { bookingId: null, currency: shop.currency, at: clock.now() };
  const key = `credit_expired:${memberId}:${changes.length}`;
  const entries = { credits: cents, marketing: -cents };
  await postJournals(tx, subject, [
    { kind: "credit_expired", key, reference: null, memberId, entries },
  ]);
}
