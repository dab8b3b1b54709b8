import { isDeepStrictEqual } from "node:util";
import { type RawBuilder, sql } from "kysely";
import type { JournalKind } from "#contract/ledger.ts";
import type { Tx } from "../../db/database.ts";
import { DealJournals, type Entries, type Journal } from "./deal-journals.ts";

/** `bookingId`: null outside deals. */
type JournalSubject = { bookingId: string | null; currency: string; at: Date };

/**
 * Skips journals posted before. Throws if one of them has different entries. At commit, a trigger
 * rejects a journal whose entries don't sum to zero (09-ledger.sql).
 */
export async function postJournals(
  tx: Tx,
  { bookingId, currency, at }: JournalSubject,
  journals: readonly Journal[],
): Promise<void> {
  if (journals.length === 0) return;
  const entries = journals.flatMap(({ key, entries }) =>
    Object.entries(entries).map(([account, cents]) => ({ key, account, cents })),
  );
  const { numAffectedRows = 0n } = await sql`
    with posted as (
      insert into ledger_journals (kind, idempotency_key, booking_id, currency, at, reference, member_id, payment_reference)
      select kind, key, ${bookingId}, ${currency}, ${at}, reference, "memberId", "intentId"
      from jsonb_to_recordset(${JSON.stringify(journals)}::jsonb)
        as journal (kind journal_kind, key text, reference text, "memberId" uuid, "intentId" text)
      on conflict (idempotency_key) do nothing
      returning id, idempotency_key as key
    )
    insert into ledger_entries (journal_id, account, cents)
    select id, account, cents
    from posted join jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as entry (key text, account ledger_account, cents bigint) using (key)`.execute(tx);
  if (numAffectedRows < entries.length) await requireSame(tx, journals);
}

async function requireSame(tx: Tx, journals: readonly Journal[]): Promise<void> {
  const keys = journals.map(({ key }) => key);
  const posted = await selectJournals(tx).where("idempotency_key", "in", keys).execute();
  const entriesOf = new Map(posted.map(({ key, entries }) => [key, entries]));
  for (const { key, entries } of journals)
    if (!isDeepStrictEqual(entriesOf.get(key), entries))
      throw new Error(`The journal ${key} was posted before, with other entries.`);
}

/** Lists a payment's journals, oldest first. By default, those of the booking's own payment. */
export async function postedJournals(
  tx: Tx,
  bookingId: string,
  intentId?: string,
): Promise<Journal[]> {
  const rows = await selectJournals(tx)
    .where("booking_id", "=", bookingId)
    .where(intentId === undefined ? sql<boolean>`not ${isSecondPayment}` : isOf(intentId))
    .orderBy("id")
    .execute();
  return rows.map(
    ({ memberId, ...row }): Journal => ({
      ...row,
      kind: row.kind satisfies JournalKind,
      ...(memberId !== null && { memberId }),
    }),
  );
}

function selectJournals(tx: Tx) {
  return tx
    .selectFrom("ledger_journals")
    .innerJoin("ledger_entries", "journal_id", "id")
    .select(["kind", "idempotency_key as key", "reference", "member_id as memberId"])
    .select(entriesOfJournal.as("entries"))
    .groupBy("id");
}

export type Deal = JournalSubject & {
  bookingId: string;
  /** Only for a booking's second payment, which has its own journals. */
  intentId?: string;
};

export async function readDeal(
  tx: Tx,
  { bookingId, intentId }: Pick<Deal, "bookingId" | "intentId">,
): Promise<DealJournals> {
  return new DealJournals(await postedJournals(tx, bookingId, intentId), intentId);
}

/** Posts the journals that `change` adds. Requires a locked booking. */
export async function changeDeal<T>(
  tx: Tx,
  deal: Deal,
  change: (journals: DealJournals) => T,
): Promise<T> {
  const journals = await readDeal(tx, deal);
  const result = change(journals);
  await postJournals(tx, deal, journals.added());
  return result;
}

/** SQL: the intent of a journal's payment. Defaults to the booking's own intent. */
export function paymentOf(journals: "ledger_journals" | "j"): RawBuilder<string | null> {
  const of = (column: string) => sql.ref(`${journals}.${column}`);
  return sql`coalesce(${of("payment_reference")},
    (select b.intent_id from bookings b where b.id = ${of("booking_id")}))`;
}

export const isSecondPayment: RawBuilder<boolean> = sql`coalesce(
  ${paymentOf("ledger_journals")} <> (select intent_id from bookings where bookings.id = ledger_journals.booking_id), false)`;

const isOf = (intentId: string) => sql<boolean>`payment_reference = ${intentId}`;

/** SQL, for a query that groups by journal: the journal's entries. */
const entriesOfJournal: RawBuilder<Entries> = sql`jsonb_object_agg(account, cents)`;
