import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { type DealJournals, dealJournals, type Journal } from "../ledger/deal-journals.ts";
import { postedJournals } from "../ledger/post-journal.ts";

/**
 * Of the parts of the price that were meant for the buyer, what they don't have yet, in cents: it is still to be
 * refunded, or their bank sent it back. A dispute that the shop has lost counts for as much as was owed when it was
 * opened; never is more owed than the buyer's card has paid and neither they nor their bank have back.
 */
export async function owedToBuyer(
  tx: Tx,
  bookingId: string,
  journals?: DealJournals,
): Promise<number> {
  const deal = journals ?? dealJournals(await postedJournals(tx, bookingId));
  return await owedBeside(tx, {
    bookingId,
    journals: deal,
    lost: await readLost(tx, bookingId, deal),
  });
}

type Beside = { bookingId: string; journals: DealJournals; lost: readonly LostDispute[] };

/** What the buyer is owed if the shop has lost these disputes. */
async function owedBeside(tx: Tx, { bookingId, journals, lost }: Beside): Promise<number> {
  const meant = await readMeant(tx, bookingId);
  if (meant === 0) return 0;
  const sum = (of: (one: LostDispute) => number) => lost.reduce((cents, one) => cents + of(one), 0);
  const most = Math.min(
    meant - sum(({ mostCents }) => mostCents),
    journals.charged() - sum(({ cents }) => cents),
  );
  return Math.max(0, most - journals.refunded());
}

/** Another part is meant for the buyer. The caller has locked the booking. */
export async function oweToBuyer(
  tx: Tx,
  { bookingId, cents, journals }: { bookingId: string; cents: number; journals: DealJournals },
): Promise<void> {
  const meant = await readMeant(tx, bookingId);
  const refunded = journals.refunded();
  const disputes = await readLost(tx, bookingId, journals);
  // What was refunded as well is not owed once more if the shop wins after all.
  await coverInTurn(tx, disputes, meant - refunded);
  await writeMeant(tx, bookingId, Math.max(meant, refunded) + cents);
}

type Reported = { bookingId: string; posted: readonly Journal[] };

/**
 * What the buyer's bank has sent back of their refunds since the journals `posted` is meant for them, whoever made the
 * refund, unless another one has replaced it by now. Not of a payment that is refunded as a whole.
 */
export async function oweSentBack(
  tx: Tx,
  { bookingId, paymentId, posted }: Reported & { paymentId: string },
): Promise<void> {
  const before = new Set(posted.map(({ key }) => key));
  const all = await postedJournals(tx, bookingId);
  const sentBack = all.filter(
    ({ kind, key, reference }) =>
      kind === "refund_failed" && !before.has(key) && before.has(`refund:${reference}`),
  );
  if (sentBack.length === 0 || !(await isKept(tx, paymentId))) return;
  const had = dealJournals(posted).refunded();
  const cents = -dealJournals(sentBack).refunded();
  const meant = Math.min(had, dealJournals(all).refunded() + cents);
  await writeMeant(tx, bookingId, Math.max(await readMeant(tx, bookingId), meant));
}

async function isKept(tx: Tx, paymentId: string): Promise<boolean> {
  const payment = await tx
    .selectFrom("payments")
    .select("id")
    .where("id", "=", paymentId)
    .where("state", "=", "succeeded")
    .executeTakeFirst();
  return payment !== undefined;
}

type NewDisputes = Reported & { opened: readonly string[] };

/**
 * Writes down how much of what the buyer is owed new disputes are about. `posted`: the journals from before this report.
 * A refund of which only this report says that it failed was the buyer's when they disputed the rest. A dispute that the
 * shop has lost before it was first reported counts as open.
 */
export async function coverByDisputes(
  tx: Tx,
  { bookingId, opened, posted }: NewDisputes,
): Promise<void> {
  if (opened.length === 0) return;
  const before = new Set(posted.map(({ key }) => key));
  const journals = (await postedJournals(tx, bookingId)).filter(
    ({ kind, key }) => kind !== "refund_failed" || before.has(key),
  );
  const deal = dealJournals(journals);
  const lost = (await readLost(tx, bookingId, deal)).filter(({ id }) => !opened.includes(id));
  const owed = await owedBeside(tx, { bookingId, journals: deal, lost });
  const disputes = await tx
    .selectFrom("disputes")
    .select(["id", "amount_cents as mostCents"])
    .where("id", "in", opened)
    .orderBy("opened_at")
    .orderBy("id")
    .execute();
  await coverInTurn(tx, disputes, owed);
}

type Covering = { id: string; mostCents: number };

/** Each dispute covers what those before have left of so many cents. */
async function coverInTurn(tx: Tx, disputes: Covering[], cents: number): Promise<void> {
  let left = Math.max(0, cents);
  for (const { id, mostCents } of disputes) {
    const covers_cents = Math.min(mostCents, left);
    await tx.updateTable("disputes").set({ covers_cents }).where("id", "=", id).execute();
    left -= covers_cents;
  }
}

/** `cents`: what the bank has given the buyer; `mostCents`: how much of it the shop owed them when they disputed. */
type LostDispute = Covering & { cents: number };

/** SQL: the payment is by the booking's intent, so that parts of it may be meant for the buyer. */
const isOfDeal = sql<boolean>`payments.transaction_id = coalesce(bookings.intent_id, payments.transaction_id)`;

async function readLost(tx: Tx, bookingId: string, journals: DealJournals): Promise<LostDispute[]> {
  const rows = await tx
    .selectFrom("disputes")
    .innerJoin("payments", "payments.id", "disputes.payment_id")
    .innerJoin("bookings", "bookings.id", "payments.booking_id")
    .select(["disputes.id", "covers_cents"])
    .where("payments.booking_id", "=", bookingId)
    .where(isOfDeal)
    .where("disputes.state", "=", "lost")
    .orderBy("opened_at")
    .orderBy("disputes.id")
    .execute();
  return rows.map(({ id, covers_cents }) => {
    const cents = journals.disputed(id);
    return { id, cents, mostCents: Math.min(cents, covers_cents) };
  });
}

/** All of the payment goes back by its own life cycle, also what was owed of a part. */
export async function oweNoPart(tx: Tx, bookingId: string): Promise<void> {
  await writeMeant(tx, bookingId, 0);
}

/** What the buyer is to have back in all, but for disputes. */
async function readMeant(tx: Tx, bookingId: string): Promise<number> {
  const settlement = await tx
    .selectFrom("settlements")
    .select("return_cents")
    .where("booking_id", "=", bookingId)
    .executeTakeFirst();
  return settlement?.return_cents ?? 0;
}

async function writeMeant(tx: Tx, bookingId: string, return_cents: number): Promise<void> {
  await tx
    .updateTable("settlements")
    .set({ return_cents })
    .where("booking_id", "=", bookingId)
    .execute();
}
