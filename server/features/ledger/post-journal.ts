import { type RawBuilder, sql } from "kysely";
import type { JournalKind } from "#contract/ledger.ts";
import type { Tx } from "../../db/database.ts";
import type { Entries, Journal } from "./deal-journals.ts";

/** What journals are about; `bookingId` is null for what belongs to no deal. */
export type JournalSubject = { bookingId: string | null; currency: string; at: Date };

/** Posts journals in the transaction of the change, by one statement. One whose key was posted before is left out. */
export async function postJournals(
  tx: Tx,
  { bookingId, currency, at }: JournalSubject,
  journals: readonly Journal[],
): Promise<void> {
  if (journals.length === 0) return;
  const entries = journals.flatMap(({ key, entries }) =>
    Object.entries(entries).map(([account, cents]) => ({ key, account, cents })),
  );
  await sql`
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
}

/** The journals of a deal, oldest first. */
export async function postedJournals(tx: Tx, bookingId: string): Promise<Journal[]> {
  const rows = await tx
    .selectFrom("ledger_journals")
    .innerJoin("ledger_entries", "journal_id", "id")
    .select(["kind", "idempotency_key as key", "reference", "member_id as memberId"])
    .select(entriesOfJournal.as("entries"))
    .select(isOfOther.as("ofOther"))
    .where("booking_id", "=", bookingId)
    .groupBy("id")
    .orderBy("id")
    .execute();
  return rows.map(
    ({ memberId, ofOther, ...row }): Journal => ({
      ...row,
      kind: row.kind satisfies JournalKind,
      ...(memberId !== null && { memberId }),
      ...(ofOther && { ofOther }),
    }),
  );
}

/** SQL: the intent of the payment that a journal is about: by default the booking's own. */
export function paymentOf(journals: "ledger_journals" | "j"): RawBuilder<string | null> {
  const of = (column: string) => sql.ref(`${journals}.${column}`);
  return sql`coalesce(${of("payment_reference")},
    (select b.intent_id from bookings b where b.id = ${of("booking_id")}))`;
}

/** SQL: whether a journal is about a payment by another intent than the booking's. */
const isOfOther: RawBuilder<boolean> = sql`coalesce(
  ${paymentOf("ledger_journals")} <> (select intent_id from bookings where bookings.id = ledger_journals.booking_id), false)`;

/** SQL: the entries of a journal as an object, in a query that groups them. */
const entriesOfJournal: RawBuilder<Entries> = sql`jsonb_object_agg(account, cents)`;
