import { Link } from "react-router";
import type { Booking, BookingToPay } from "#contract/bookings.ts";
import { afterPayment } from "#contract/deal-texts.ts";
import { formatPrice } from "#contract/price.ts";
import { partRefundText } from "#web/domain/deals/payment-texts.ts";
import { paths } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";

type PaymentCompletedProps = {
  booking: Booking;
  transactionId: string;
  /** If true, the message takes focus, because the Pay button is gone. */
  justNow: boolean;
};

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
          <ButtonLink to={paths.handover(_id)}>
            {meeting?.state === "agreed" ? "See place and time" : "Agree on place and time"}
          </ButtonLink>
        )}
        <ButtonLink to={paths.myOrders()} look="plain">
          Back to My Orders
        </ButtonLink>
      </div>
    </div>
  );
}

export function Receipt({ booking }: { booking: BookingToPay }) {
  const { bookingProduct: laptop, price, amountDue, paidAt, partRefund, meeting } = booking;
  const lines = {
    Shop: contact(...booking.receiptIssuer),
    Laptop: laptop.product_name,
    Condition: laptop.condition,
    Price: formatPrice(price),
    ...savingLines(booking),
    ...(amountDue < price && { "Paid by card": formatPrice(amountDue) }),
    Booked: formatDateTime(booking.bookedAt),
    ...(paidAt !== null && { Paid: formatDateTime(paidAt) }),
    ...(partRefund && { Refund: partRefundText(partRefund, "buyer") }),
    Seller: contact(laptop.seller_name, laptop.mobile_number, laptop.sellerEmail),
    Buyer: contact(booking.name, booking.email),
    "Meeting Location": meeting?.place ?? booking.location,
    ...(meeting?.state === "agreed" && { "Meeting Time": formatDateTime(meeting.startsAt) }),
  };
  return (
    <section aria-label="Receipt" className="mt-8 border-line border-t pt-6">
      <dl className="grid items-baseline gap-x-8 gap-y-3 sm:grid-cols-[10rem_1fr]">
        {Object.entries(lines).map(([term, line]) => (
          <div key={term} className="contents">
            <dt className="text-muted text-sm max-sm:-mb-2.5">{term}</dt>
            <dd dir="auto" className="user-text font-medium">
              {line}
            </dd>
          </div>
        ))}
      </dl>
      <Button look="plain" className="mt-6" onClick={() => print()}>
        <Icon name="printer" className="size-4.5" />
        Print receipt
      </Button>
    </section>
  );
}

function contact(...known: (string | undefined)[]): string {
  return known.filter(Boolean).join(", ");
}

export function savingLines({ discount, credit }: Pick<Booking, "discount" | "credit">) {
  return {
    ...(discount > 0 && { "Invitation discount": `−${formatPrice(discount)}` }),
    ...(credit > 0 && { "Your credit": `−${formatPrice(credit)}` }),
  };
}

/** Shown if the card was charged, but the server hasn't confirmed that it recorded the payment. */
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
