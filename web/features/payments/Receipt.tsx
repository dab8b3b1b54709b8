import type { BookingToPay } from "#contract/bookings.ts";
import { formatPrice } from "#contract/price.ts";
import { partRefundText } from "#web/domain/deals/payment-texts.ts";
import { Button } from "#web/ui/Button.tsx";
import { formatDateTime } from "#web/ui/format.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { savingLines } from "./saving-lines.ts";

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
