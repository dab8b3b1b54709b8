import { Link } from "react-router";
import type { Booking } from "#contract/bookings.ts";
import { afterPayment } from "#contract/deal-texts.ts";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

type PaymentCompletedProps = {
  booking: Booking;
  transactionId: string;
  /** If true, the message takes focus, because the Pay button is gone. */
  justNow: boolean;
};

/** Shown after a completed payment (specification 4, Payment). */
export function PaymentCompleted({ booking, transactionId, justNow }: PaymentCompletedProps) {
  const { _id, state, meeting } = booking;
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <Icon name="circle-check" className="size-10 text-success" />
      <p
        ref={justNow ? takeFocus : undefined}
        tabIndex={-1}
        className="font-display font-semibold text-heading text-success"
      >
        Congrats! your payment completed
      </p>
      <p>
        Your transaction id: <strong className="break-all">{transactionId}</strong>
      </p>
      {state !== "completed" && <p>{afterPayment.lookItOver}</p>}
      <div className="mt-2 flex flex-wrap gap-3">
        {state !== "completed" && (
          <Link to={paths.handover(_id)} className={buttonClass()}>
            {meeting?.state === "agreed" ? "See place and time" : "Agree on place and time"}
          </Link>
        )}
        <Link to={paths.myOrders()} className={buttonClass({ look: "plain" })}>
          Back to My Orders
        </Link>
      </div>
    </div>
  );
}

/** Shown if the card was charged, but the server has not confirmed that it is recorded. */
export function PaymentNotRecorded() {
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <Icon name="clock" className="size-10 text-muted" />
      <p ref={takeFocus} tabIndex={-1}>
        Your payment went through, but we haven't recorded it yet. It will appear in My Orders in a
        few minutes. You don't need to pay again.
      </p>
      <Link to={paths.myOrders()} className={`${buttonClass({ look: "plain" })} mt-2`}>
        Back to My Orders
      </Link>
    </div>
  );
}

function takeFocus(heading: HTMLElement | null): void {
  heading?.focus();
}
