import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { forEachId } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { postJournals } from "../ledger/post-journal.ts";
import { creditLots, readCreditChanges } from "./credit-history.ts";

const batchSize = 500;

/**
 * Takes back credit that wasn't spent in time. A failure for one member doesn't stop the others,
 * and is thrown at the end.
 */
export async function expireCredits(deps: Deps): Promise<void> {
  const until = deps.clock.now();
  const before = new Date(until.getTime() - deps.config.invitations.creditMs);
  await forEachId({
    listAfter: (id) => listOldCredit(deps.db, before, id),
    work: (memberId) =>
      transact(deps.db, `expireCredits ${memberId}`, (tx) =>
        expireCreditOf(tx, deps, { memberId, until }),
      ),
  });
}

/**
 * Lists members who may have unspent credit earned before `before`. Ignores that credit returned
 * from a purchase expires later; `expireCreditOf` takes that into account.
 */
async function listOldCredit(tx: Tx, before: Date, after: string): Promise<string[]> {
  const { rows } = await sql<{ member_id: string }>`
    select member_id from credit_accounts a
    where balance_cents > 0 and member_id > ${after} and (
      select sum(-cents) filter (where kind <> 'credit_earned' or at < ${before})
      from ledger_journals j join ledger_entries on journal_id = id
      where j.member_id = a.member_id and account = 'credits') > 0
    order by member_id limit ${sql.lit(batchSize)}`.execute(tx);
  return rows.map(({ member_id }) => member_id);
}

type Expiry = { memberId: string; until: Date };

/** Takes back a member's unspent credit that expires by `until`. */
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
