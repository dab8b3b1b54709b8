import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { Link } from "react-router";
import { type Booking, maxContactsPerDay } from "#contract/bookings.ts";
import { type BookingState, liveBookingStates } from "#contract/life-cycle.ts";
import { formatPrice } from "#contract/price.ts";
import { invalidateReads } from "#web/api/query-client.ts";
import { Contact } from "#web/ui/Contact.tsx";
import { formatDateTime } from "#web/ui/format.ts";
import { meetingText } from "#web/ui/meeting-text.ts";
import { TimeLeft } from "#web/ui/TimeLeft.tsx";

/** A test compares them with `contract/deal-story.ts`, which would be one more file. */
const statusTexts: Record<Exclude<BookingState, "held" | "cancelled">, string> = {
  paid: "Paid. Meet the seller, look the laptop over, and show them your handover code once you have it.",
  completed: "Handed over to you.",
  expired: "The hold expired before you paid.",
  refunded: "The purchase was cancelled.",
};

const cancellations: Record<NonNullable<Booking["cancelledBy"]>, string> = {
  buyer: "You cancelled this hold before you paid.",
  seller: "The seller ended this hold before you paid.",
  shop: "Secondlap ended this hold before you paid.",
};

/** The status of an order, and the seller's contact details while the booking is live. */
export function OrderStatus({ booking }: { booking: Booking }) {
  const { state, heldUntil, refund, location, bookingProduct } = booking;
  const { seller_name, mobile_number, sellerEmail } = bookingProduct;
  return (
    <div className="mt-2 text-muted text-sm">
      <p>{state === "held" ? <HoldTimeLeft until={heldUntil} /> : statusText(booking)}</p>
      {(booking.complaintUntil || booking.hasComplaint) && (
        <Link to={`/dashboard/complaint/${booking._id}`} className="link">
          {booking.hasComplaint ? "Your complaint" : "Something is wrong"}
        </Link>
      )}
      {refund && <Refund {...refund} />}
      {isLive(state) && (
        <p className="break-words">
          Meeting place:{" "}
          <span dir="auto">{booking.meeting ? booking.meeting.place : location}</span>
        </p>
      )}
      {booking.meeting && <p>{meetingText(booking.meeting, "buyer")}</p>}
      {booking.serialEnd && (
        <p>Check that the laptop's serial number ends in {booking.serialEnd}.</p>
      )}
      {booking.contactAfterPayment && (
        <p>
          You've seen the contact details of {maxContactsPerDay} sellers today. You'll see this
          seller's once you've paid.
        </p>
      )}
      {mobile_number && sellerEmail && (
        <Contact who="Seller" name={seller_name} phone={mobile_number} email={sellerEmail} />
      )}
    </div>
  );
}

function isLive(state: BookingState): boolean {
  return liveBookingStates.some((live) => live === state);
}

function statusText({ state, cancelledBy }: Booking): string | undefined {
  if (state === "held") return undefined;
  if (state !== "cancelled") return statusTexts[state];
  return cancelledBy ? cancellations[cancelledBy] : "This hold was cancelled before you paid.";
}

/** The server decides whether a hold has expired, so refetch when it should have. */
function HoldTimeLeft({ until }: { until: string }) {
  const queries = useQueryClient();
  const refetch = useCallback(() => void invalidateReads(queries, ["bookings"]), [queries]);
  return <TimeLeft until={until} onExpired={refetch} />;
}

function Refund(refund: NonNullable<Booking["refund"]>) {
  const { state, amount, refundedAt, toCard, fromBank, sent, dispute } = refund;
  const sum = formatPrice(amount - fromBank - sent);
  const bankGave = fromBank > 0 && `Your bank gave you ${formatPrice(fromBank)} back.`;
  if (refundedAt === null && dispute === "open")
    return <p>Your bank is deciding about this payment.</p>;
  if (refundedAt === null && sent > 0)
    return (
      <p>
        {bankGave} We sent you {formatPrice(sent)} and still owe you {sum}. We'll get in touch about
        a way to send it.
      </p>
    );
  if (state === "refund_failed")
    return (
      <p>
        {bankGave} We couldn't refund {sum} to your card. We'll get in touch about another way to
        send it.
      </p>
    );
  if (refundedAt === null) return <p>{sum} is on its way back to your card.</p>;
  const when = <time dateTime={refundedAt}>{formatDateTime(refundedAt)}</time>;
  if (!toCard && sent === 0)
    return <p>{bankGave || "Your bank is deciding about this payment."}</p>;
  if (!toCard)
    return (
      <p>
        {bankGave} We sent you {formatPrice(sent)} on {when}, because your card couldn't be
        refunded.
      </p>
    );
  return (
    <p>
      {sum} was refunded to your card on {when}. It can take a few days to show up on your
      statement.
    </p>
  );
}
