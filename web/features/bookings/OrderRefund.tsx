import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Booking } from "#contract/bookings.ts";
import { formatPrice } from "#contract/price.ts";
import { partRefundText } from "#web/domain/deals/part-refund-text.ts";
import { paths } from "#web/paths.ts";
import { formatDate, formatDateTime } from "#web/ui/format.ts";

export default function OrderRefund(booking: Booking): ReactNode {
  const { _id, refund, partRefund, returnBy, bookingProduct } = booking;
  if (returnBy)
    return (
      <p>
        Give the laptop back by {formatDate(returnBy)}. Your refund starts when the seller enters
        your{" "}
        <Link
          to={paths.handover(_id)}
          aria-label={`Return code for ${bookingProduct.product_name}`}
          className="link"
        >
          return code
        </Link>
        .
      </p>
    );
  if (refund) return <WholeRefund {...refund} />;
  return partRefund && <p>{partRefundText(partRefund, "buyer")}</p>;
}

function WholeRefund(refund: NonNullable<Booking["refund"]>) {
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
