import { lazy, Suspense } from "react";
import type { Booking } from "#contract/bookings.ts";
import type { NextStep } from "#web/domain/deals/ToDo.tsx";
import { paths } from "#web/paths.ts";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";

/** Loaded after the table, because the menu includes dialogs. */
const OrderMenu = lazy(() => import("./OrderMenu.tsx").catch(() => ({ default: () => null })));

/** Shows Pay during a hold, and Paid in green after payment (specification 2.3). */
export function OrderPayment({ booking }: { booking: Booking }) {
  const { paid, state, refund } = booking;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {paid && (
        <span className="inline-flex items-baseline gap-1.5 font-semibold text-success">
          <Icon name="circle-check" className="size-4.5 self-center" />
          Paid
        </span>
      )}
      {!paid && state !== "held" && (
        <span className="text-muted">{endedLabels[refund?.state ?? state]}</span>
      )}
      <div className="flex flex-wrap items-center gap-1">
        <NextStepLink booking={booking} />
        <Suspense fallback={<span className="size-8" />}>
          <OrderMenu booking={booking} />
        </Suspense>
      </div>
    </div>
  );
}

const endedLabels: Record<string, string> = {
  cancelled: "Canceled",
  expired: "Expired",
  refund_due: "Refund on its way",
  refunded: "Refunded",
  refund_failed: "Refund failed",
};

function NextStepLink({ booking }: { booking: Booking }) {
  const step = nextOrderStep(booking);
  if (!step) return null;
  const { label, to } = step;
  return (
    <ButtonLink
      to={to}
      aria-label={`${label} for ${booking.bookingProduct.product_name}`}
      size="small"
    >
      {label}
    </ButtonLink>
  );
}

/** The buyer's next step, shown in the table and the to-do list. */
export function nextOrderStep(booking: Booking): NextStep | undefined {
  const { _id, state, price, heldUntil, meeting, bookingProduct } = booking;
  const { hasOpenComplaint, returnBy, mayReview } = booking;
  const name = bookingProduct.product_name;
  const handover = paths.handover(_id);
  if (returnBy)
    return {
      label: "Show return code",
      to: handover,
      task: `Return ${name} by ${formatDateTime(returnBy)}`,
    };
  if (state === "held" && price > 0)
    return {
      label: "Pay",
      to: paths.payment(_id),
      task: `Pay for ${name} by ${formatDateTime(heldUntil)}`,
    };
  if (state === "paid" && meeting?.state === "agreed")
    return { label: "Handover code", to: handover };
  if (state === "paid") {
    const task = `Agree on a time and place for ${name}`;
    return { label: "Place and time", to: handover, ...(meeting?.by !== "buyer" && { task }) };
  }
  if (hasOpenComplaint) return { label: "See complaint", to: paths.complaint(_id) };
  if (!mayReview) return undefined;
  const to = `${paths.reviews()}?deal=${_id}`;
  return { label: "Write a review", to, task: `Review the seller of ${name}` };
}
