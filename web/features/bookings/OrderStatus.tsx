import { lazy, Suspense } from "react";
import type { Booking } from "#contract/bookings.ts";
import { type BookingState, liveBookingStates } from "#contract/life-cycle.ts";
import { browserQueries, invalidateReads } from "#web/api/query-client.ts";
import { DealProgress } from "#web/domain/deals/DealProgress.tsx";
import { meetingText } from "#web/domain/deals/meeting-text.ts";
import { Contact } from "#web/domain/members/Contact.tsx";
import { paths } from "#web/paths.ts";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { TextLink } from "#web/ui/Link.tsx";
import { TimeLeft } from "#web/ui/TimeLeft.tsx";

/** The refund status is loaded on demand, because few orders are refunded. */
const OrderRefund = lazy(() => import("./OrderRefund.tsx").catch(() => ({ default: () => null })));

/** `paid` repeats a text of `contract/deal-texts.ts`, to avoid loading it. A test compares them. */
const statusTexts: Record<Exclude<BookingState, "held">, string> = {
  paid: "Paid. Meet the seller, look the laptop over, and show them your handover code once you have it.",
  completed: "Handed over to you.",
  cancelled: "This hold was canceled before you paid.",
  expired: "The hold expired before you paid.",
  refunded: "The purchase was canceled.",
};

const cancellations: Record<NonNullable<Booking["cancelledBy"]>, string> = {
  buyer: "You canceled this hold before you paid.",
  seller: "The seller ended this hold before you paid.",
  shop: "We ended this hold before you paid.",
};

export function OrderStatus({ booking }: { booking: Booking }) {
  const { state, cancelledBy, heldUntil, refund, location, bookingProduct } = booking;
  const { seller_name, mobile_number, sellerEmail } = bookingProduct;
  return (
    <div className="mt-2 text-muted text-sm">
      <DealProgress
        deal={booking}
        last="Done"
        isOver={!booking.complaintUntil && !booking.hasComplaint}
      />
      <p>
        {state === "held" ? (
          <TimeLeft until={heldUntil} onExpired={refetchOrders} />
        ) : (
          ((cancelledBy && cancellations[cancelledBy]) ?? statusTexts[state])
        )}
      </p>
      {booking.complaintUntil && (
        <TextLink to={paths.complaint(booking._id)}>
          {`Is something wrong? Tell us by ${formatDateTime(booking.complaintUntil)}`}
        </TextLink>
      )}
      {booking.hasComplaint && (
        <TextLink to={paths.complaint(booking._id)}>Your complaint</TextLink>
      )}
      {(refund ?? booking.partRefund ?? booking.returnBy) && (
        <Suspense fallback={<p>&nbsp;</p>}>
          <OrderRefund {...booking} />
        </Suspense>
      )}
      {isLive(state) && (
        <p className="break-words">
          Meeting place:{" "}
          <span dir="auto">{booking.meeting ? booking.meeting.place : location}</span>
        </p>
      )}
      {booking.meeting && state !== "completed" && <p>{meetingText(booking.meeting, "buyer")}</p>}
      {booking.serialEnd && (
        <p>Check that the laptop's serial number ends in {booking.serialEnd}.</p>
      )}
      {booking.contactAfterPayment && (
        <p>
          You've seen many sellers' contact details today. You'll see this seller's once you've
          paid.
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

/** Refetches orders when a hold ends, because the server decides whether it has expired. */
function refetchOrders(): void {
  void invalidateReads(browserQueries, ["bookings"]);
}
