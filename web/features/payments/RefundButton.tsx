import { type Payment, refundBooking, settleRefund } from "#contract/payments.ts";
import { formatPrice } from "#contract/price.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { toast } from "#web/ui/toast.ts";

/** Records that an admin has sent a failed refund's money by other means. */
export function SettleRefundButton({ payment }: { payment: Payment }) {
  const { _id: paymentId, name, product_name } = payment;
  const price = formatPrice(payment.unsent);
  const settle = useCall(settleRefund, {
    onSuccess: () => toast.success(`${price} is marked as sent to ${name}`),
  });
  return (
    <ConfirmButton
      look="plain"
      label={`Sent another way: the refund of ${product_name} to ${name}`}
      title="Did you send the money?"
      message={
        payment.unsentPart === null
          ? `${name} will read in My Orders that we sent ${price} in another way than to the card. This can't be undone.`
          : `${name} has been sent ${price} in another way than to the card. The rest of the price goes to the seller. This can't be undone.`
      }
      confirm="Yes, it's sent"
      busy={settle.isPending}
      onConfirm={(done) => settle.mutate({ body: { paymentId } }, { onSettled: done })}
    >
      Sent another way
    </ConfirmButton>
  );
}

export function RetryRefundButton({ payment }: { payment: Payment }) {
  const { bookingId, name, product_name } = payment;
  const retry = useCall(refundBooking, {
    onSuccess: () =>
      toast.success(`${formatPrice(payment.unsent)} is being refunded to ${name} once more`),
  });
  return (
    <Button
      look="plain"
      size="small"
      busy={retry.isPending}
      aria-label={`Try again to refund ${product_name} to ${name}`}
      onClick={() => retry.mutate({ body: { bookingId } })}
    >
      Try again
    </Button>
  );
}

export function RefundButton({ payment }: { payment: Payment }) {
  const { bookingId, name, product_name, fromBank } = payment;
  const price = formatPrice(payment.price - fromBank);
  const message =
    fromBank > 0
      ? `The sale of ${product_name} is canceled, and the laptop goes back on sale. Send ${name} the other ${price} in another way: it can't go to the card, because the bank gave back ${formatPrice(fromBank)}. This can't be undone.`
      : `${name} gets ${price} back for ${product_name}, and the laptop goes back on sale. This can't be undone.`;
  const refund = useCall(refundBooking, {
    onSuccess: () =>
      toast.success(
        fromBank > 0 ? "The sale is canceled" : `${price} is being refunded to ${name}`,
      ),
  });
  return (
    <ConfirmButton
      look="plain"
      label={`Refund ${product_name} to ${name}`}
      title="Refund this payment?"
      message={message}
      confirm="Refund"
      busy={refund.isPending}
      onConfirm={(done) => refund.mutate({ body: { bookingId } }, { onSettled: done })}
    >
      <Icon name="undo-2" className="size-4" />
      Refund
    </ConfirmButton>
  );
}
