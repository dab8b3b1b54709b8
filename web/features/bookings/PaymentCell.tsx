import { lazy, Suspense } from "react";
import { Link } from "react-router";
import type { Booking } from "#contract/bookings.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { nextOrderStep } from "./next-order-step.ts";

/** Loaded after the table, because the menu includes dialogs. */
const OrderMenu = lazy(() => import("./OrderMenu.tsx").catch(() => ({ default: () => null })));

/** Shows Pay during an unpaid hold, then Paid in green (specification 2, /dashboard). */
export function PaymentCell({ booking }: { booking: Booking }) {
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
      <div className="flex flex-wrap items-center gap-2">
        <NextStep booking={booking} />
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

function NextStep({ booking }: { booking: Booking }) {
  const step = nextOrderStep(booking);
  if (!step) return null;
  const { label, to } = step;
  return (
    <Link
      to={to}
      aria-label={`${label} for ${booking.bookingProduct.product_name}`}
      className={`${buttonClass({ size: "small" })} px-6`}
    >
      {label}
    </Link>
  );
}
