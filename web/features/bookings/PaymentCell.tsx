import { Link } from "react-router";
import { type Booking, cancelBooking } from "#contract/bookings.ts";
import { confirmHandover } from "#contract/handover.ts";
import { useCall } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { toast } from "#web/ui/toast.ts";

/** Shows Pay during an unpaid hold, then Paid in green (specification 2, /dashboard). */
export function PaymentCell({ booking }: { booking: Booking }) {
  const { paid, state, price, refund } = booking;
  if (paid) return <Paid booking={booking} />;
  if (state === "held" && price > 0) return <ToPay booking={booking} />;
  return (
    <span className="text-muted capitalize">{refund ? refundLabels[refund.state] : state}</span>
  );
}

const refundLabels = {
  refund_due: "Refund on its way",
  refunded: "Refunded",
  refund_failed: "Refund failed",
};

function ToPay({ booking }: { booking: Booking }) {
  const { product_name } = booking.bookingProduct;
  const cancel = useCall(cancelBooking, {
    onSuccess: () => toast.success(`Your hold on ${product_name} has been cancelled.`),
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Link
        to={paths.payment(booking._id)}
        aria-label={`Pay for ${product_name}`}
        className={`${buttonClass({ size: "small" })} px-6`}
      >
        Pay
      </Link>
      <HandoverLink booking={booking} label="Place and time" />
      <ConfirmButton
        look="plain"
        label={`Cancel the hold on ${product_name}`}
        title={`Cancel your hold on ${product_name}?`}
        message="Anyone will be able to book it, and you may not get it back."
        confirm="End hold"
        busy={cancel.isPending}
        onConfirm={(done) => cancel.mutate({ params: { id: booking._id } }, { onSettled: done })}
      >
        Cancel
      </ConfirmButton>
    </div>
  );
}

/** Links to the page with the meeting place and the handover code. */
function HandoverLink({ booking, label }: { booking: Booking; label: string }) {
  return (
    <Link
      to={paths.handover(booking._id)}
      aria-label={`${label} for ${booking.bookingProduct.product_name}`}
      className="link text-sm"
    >
      {label}
    </Link>
  );
}

function Paid({ booking }: { booking: Booking }) {
  const { _id, state, mayReview, bookingProduct } = booking;
  const { product_name } = bookingProduct;
  const confirm = useCall(confirmHandover, {
    onSuccess: () => toast.success("Enjoy your laptop!"),
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="inline-flex items-baseline gap-1.5 font-semibold text-success">
        <Icon name="circle-check" className="size-4.5 self-center" />
        Paid
      </span>
      <Link
        to={paths.payment(_id)}
        aria-label={`Receipt for ${product_name}`}
        className="link text-sm"
      >
        Receipt
      </Link>
      {mayReview && (
        <Link
          to={`${paths.reviews()}?deal=${_id}`}
          aria-label={`Write a review: ${product_name}`}
          className="link text-sm"
        >
          Write a review
        </Link>
      )}
      {state === "paid" && (
        <>
          <HandoverLink booking={booking} label="Handover code" />
          <ConfirmButton
            look="plain"
            label={`I have it: ${product_name}`}
            title="Do you have the laptop?"
            message="Confirm only once you have it in your hands. If it then turns out not to be what was described, tell us soon: press Something is wrong in My Orders."
            confirm="Yes, I have it"
            busy={confirm.isPending}
            onConfirm={(done) => confirm.mutate({ body: { id: _id } }, { onSettled: done })}
          >
            I have it
          </ConfirmButton>
        </>
      )}
    </div>
  );
}
