import type { ReactNode } from "react";
import type { Booking } from "#contract/bookings.ts";
import { formatPrice } from "#contract/price.ts";
import { partRefundText } from "#web/domain/deals/payment-texts.ts";
import { paths } from "#web/paths.ts";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { TextLink } from "#web/ui/Link.tsx";

export default function OrderRefund(booking: Booking): ReactNode {
  const { _id, refund, partRefund, returnBy, bookingProduct } = booking;
  if (returnBy)
    return (
      <p>
        Give the laptop back by {formatDateTime(returnBy)}. Your refund starts when the seller
        enters your{" "}
        <TextLink
          to={paths.handover(_id)}
          aria-label={`Return code for ${bookingProduct.product_name}`}
        >
          return code
        </TextLink>
        .
      </p>
    );
  if (refund) return <p>{refundText(refund)}</p>;
  return partRefund && <p>{partRefundText(partRefund, "buyer")}</p>;
}

function refundText(refund: NonNullable<Booking["refund"]>): string {
  const { state, amount, refundedAt, toCard, fromBank, sent, dispute } = refund;
  const rest = formatPrice(amount - fromBank - sent);
  const bankGave = fromBank > 0 ? `Your bank gave you ${formatPrice(fromBank)} back.` : "";
  const weSent = `${bankGave} We sent you ${formatPrice(sent)}`;
  const undecided = "Your bank is deciding about this payment.";
  if (refundedAt === null && dispute === "open") return undecided;
  if (refundedAt === null && sent > 0)
    return `${weSent} and still owe you ${rest}. We'll get in touch about a way to send it.`;
  if (state === "refund_failed")
    return `${bankGave} We couldn't refund ${rest} to your card. We'll get in touch about another way to send it.`;
  if (refundedAt === null) return `${rest} is on its way back to your card.`;
  const when = formatDateTime(refundedAt);
  if (toCard)
    return `${rest} was refunded to your card on ${when}. It can take a few days to show up on your statement.`;
  if (sent > 0) return `${weSent} on ${when}, because your card couldn't be refunded.`;
  return bankGave || undecided;
}
