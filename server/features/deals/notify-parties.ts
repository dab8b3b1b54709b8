import { sql } from "kysely";
import { formatMeetingTime, type Meeting } from "#contract/meetings.ts";
import { formatPrice, toDollars } from "#contract/price.ts";
import type { Tx } from "../../db/database.ts";
import { isErased } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo, type NewEmail } from "../../email/email.ts";
import { timeUntil } from "../../email/email-phrases.ts";
import { returnedMs } from "../rewards/credits.ts";
import { type BookingEmail, bookingContent, type Party, withArticle } from "./booking-email.ts";

type Notification = {
  bookingId: string;
  email: BookingEmail;
  /**
   * `cents`: the buyer's amount, limited to what they pay by card, which is also the default.
   * `sellerCents`: the seller's amount, by default the price. `creditCents`: by default the credit
   * last returned.
   */
  payment?: { transactionId?: string; cents?: number; sellerCents?: number; creditCents?: number };
  meeting?: Pick<Meeting, "place" | "startsAt" | "timeZone">;
  calendar?: string;
  reason?: string;
  /** The end of `timeLeft`. By default the end of the hold. */
  until?: Date;
  /** The id of a member who gets no email. */
  except?: string | null;
};

/** A seller is emailed about at most this many holds by one buyer per day. */
const maxHoldsPerDay = 3;

export async function notifyParties(tx: Tx, deps: Deps, notification: Notification): Promise<void> {
  const subject = await findSubject(tx, notification.bookingId);
  const emails = emailsAbout(deps, subject, notification);
  if (emails.length > 0) await deps.emailQueue.add(tx, ...emails);
}

type Recipient = { id: string; name: string; email: string };

/** `earlierHolds`: the buyer's holds with this seller in the 24 hours before this hold. */
type EmailSubject = {
  buyer: Recipient;
  seller: Recipient;
  product: string;
  categoryId: string;
  brand: string;
  priceCents: number;
  discountCents: number;
  creditCents: number;
  creditReturnedAt: Date | null;
  creditReturnedCents: number | null;
  heldUntil: Date;
  earlierHolds: number;
};

function emailsAbout(
  { config, clock }: Deps,
  subject: EmailSubject,
  { bookingId, email: about, payment, meeting, calendar, reason, until, except }: Notification,
): NewEmail[] {
  const facts = {
    bookingId,
    categoryId: subject.categoryId,
    product: subject.product,
    brand: subject.brand,
    aLaptop: withArticle(subject.brand),
    savings: savingsOf(subject),
    creditBack: creditBackOf(subject, clock.now(), payment?.creditCents),
    timeLeft: timeUntil(until ?? subject.heldUntil, clock.now()),
    toCard: payment?.cents !== 0,
    reason: reason ? ` The reason: ${reason}` : "",
    transactionId: payment?.transactionId ?? "",
    meetingTime: meeting ? formatMeetingTime(meeting) : "",
    meetingPlace: meeting?.place ?? "",
  };
  const { kind = "payment", onlyWhile: states, ...templates } = about;
  return (["buyer", "seller"] as const).flatMap((party) => {
    const { id, email } = subject[party];
    const template = templates[party];
    if (!template || id === except || isErased(email)) return [];
    const isFrequentHold = subject.earlierHolds >= maxHoldsPerDay;
    if (kind === "hold" && party === "seller" && isFrequentHold) return [];
    const price = formatPrice(toDollars(centsFor(party, subject, payment ?? {})));
    const own = { ...facts, party, price };
    return {
      kind,
      ...addressedTo(subject[party]),
      ...bookingContent(template(own), own, config.publicUrl),
      onlyWhile: states && { bookingId, states },
      ...(calendar !== undefined && { calendar }),
    };
  });
}

/** Returns the party's amount in cents. Discount and credit don't lower the seller's amount. */
function centsFor(
  party: Party,
  { priceCents, discountCents, creditCents }: EmailSubject,
  { cents = priceCents, sellerCents = priceCents }: { cents?: number; sellerCents?: number },
): number {
  if (party === "seller") return sellerCents;
  return Math.min(cents, priceCents - discountCents - creditCents);
}

function savingsOf({ priceCents, discountCents, creditCents }: EmailSubject): string {
  const off = [
    discountCents > 0 && `${formatPrice(toDollars(discountCents))} because a friend invited you`,
    creditCents > 0 && `${formatPrice(toDollars(creditCents))} of your credit`,
  ].filter((part) => part !== false);
  if (off.length === 0) return "";
  return ` The price is ${formatPrice(toDollars(priceCents))}, minus ${off.join(" and ")}.`;
}

function creditBackOf(
  { creditCents, creditReturnedAt, creditReturnedCents }: EmailSubject,
  now: Date,
  returnedCents = creditReturnedCents,
): string {
  if (!creditReturnedAt || !returnedCents) return "";
  const until = new Date(creditReturnedAt.getTime() + returnedMs);
  if (until <= now) return "";
  const day = until.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  const price = formatPrice(toDollars(returnedCents));
  const what = returnedCents === creditCents ? `The ${price} of credit` : `${price} of the credit`;
  return ` ${what} that you used is yours to spend again, until ${day} at least.`;
}

/** Plain SQL, because building this query with Kysely takes much CPU time. */
async function findSubject(tx: Tx, bookingId: string): Promise<EmailSubject> {
  const { rows } = await sql<EmailSubject>`
    select bookings.price_cents as "priceCents", bookings.held_until as "heldUntil",
      discount_cents as "discountCents", credit_cents as "creditCents",
      returned.at as "creditReturnedAt", (-returned.cents)::int as "creditReturnedCents",
      products.product_name as product, products.category_id as "categoryId",
      categories.product_category as brand,
      json_build_object('id', buyer.id, 'name', buyer.name, 'email', buyer.email) as buyer,
      json_build_object('id', seller.id, 'name', seller.name, 'email', seller.email) as seller,
      (select count(*)::int from bookings as earlier
        join products as listed on listed.id = earlier.product_id
        where earlier.buyer_id = bookings.buyer_id and listed.seller_id = products.seller_id
          and earlier.booked_at < bookings.booked_at
          and earlier.booked_at > bookings.booked_at - interval '1 day') as "earlierHolds"
    from bookings
    join products on products.id = bookings.product_id
    join categories on categories.id = products.category_id
    join members as buyer on buyer.id = bookings.buyer_id
    join members as seller on seller.id = products.seller_id
    left join lateral (
      select at, cents from ledger_journals
      join ledger_entries on journal_id = ledger_journals.id
      where ledger_journals.booking_id = bookings.id and kind = 'credit_returned'
        and account = 'credits'
      order by ledger_journals.id desc limit 1
    ) as returned on true
    where bookings.id = ${bookingId}`.execute(tx);
  const [subject] = rows;
  if (!subject) throw new Error(`There is no booking ${bookingId}.`);
  return subject;
}
