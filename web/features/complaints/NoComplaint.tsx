import { Link } from "react-router";
import type { Booking } from "#contract/bookings.ts";
import type { BookingState } from "#contract/life-cycle.ts";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";

const ended = {
  title: "This order has ended",
  text: "You didn't pay for this laptop, so there is no money to give back.",
};

const reasons: Record<BookingState, { title: string; text: string }> = {
  held: {
    title: "Not paid yet",
    text: "You haven't been charged. If you no longer want this laptop, cancel the hold in My Orders. If its description is wrong, press Report on its page.",
  },
  paid: {
    title: "Not handed over yet",
    text: "You can say that something is wrong once you have the laptop. Until then we keep your money: if it isn't what was described, don't take it and don't show your handover code, and write to the seller. What isn't handed over in time is refunded in full.",
  },
  completed: {
    title: "The time for this has passed",
    text: "You could say that something is wrong until the money went to the seller. You can still write to them.",
  },
  refunded: {
    title: "This order has ended",
    text: "The purchase was canceled. My Orders says how your money comes back.",
  },
  expired: ended,
  cancelled: ended,
};

/** Explains why the buyer can't complain now, and what they can do instead. */
export function NoComplaint({ order: { state, bookingProduct } }: { order: Booking }) {
  const { title, text } = reasons[state];
  const hasSeller = state === "paid" || state === "completed";
  return (
    <>
      <h2 className="text-heading">{title}</h2>
      <p>{text}</p>
      <div className="flex flex-wrap gap-3">
        <Link to={paths.myOrders()} className={buttonClass()}>
          Back to My Orders
        </Link>
        {hasSeller && (
          <Link
            to={`${paths.messages()}?about=${bookingProduct._id}`}
            className={buttonClass({ look: "plain" })}
          >
            Message the seller
          </Link>
        )}
      </div>
    </>
  );
}
