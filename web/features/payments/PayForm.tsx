import { CardElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { PaymentIntentResult } from "@stripe/stripe-js";
import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { Booking } from "#contract/bookings.ts";
import { changesOf } from "#contract/call-resources.ts";
import { CallError } from "#contract/client.ts";
import { createPaymentIntent, recordPayment } from "#contract/payments.ts";
import { formatPrice } from "#contract/price.ts";
import { browserApi, queryOf, useMutationOnce } from "#web/api/api.ts";
import type { Session } from "#web/auth/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Field } from "#web/ui/Field.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { PaymentCompleted, PaymentNotRecorded } from "./PaymentCompleted.tsx";

type PayFormProps = {
  booking: Booking;
  member: Session["user"];
  /** Whether the card provider is the sandbox, which accepts test cards. */
  tryOut: boolean;
};

/**
 * Creates the payment intent on load: the Pay button needs its client secret (specification 4.9).
 */
export function PayForm({ booking, member, tryOut }: PayFormProps) {
  const { amountDue: price, complaintHours, _id } = booking;
  const intent = useQuery({
    ...queryOf(createPaymentIntent, { body: { price, bookingId: _id } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [card, setCard] = useState<CardState>({ complete: false });
  const pay = usePay(booking, member);
  if (pay.data?.isRecorded)
    return <PaymentCompleted booking={booking} transactionId={pay.data.transactionId} justNow />;
  if (pay.data) return <PaymentNotRecorded />;

  const secret = intent.data?.clientSecret;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (secret !== undefined) pay.mutate(secret);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label="Card"
        error={card.error}
        hint={
          tryOut && "This is a demo. Pay with 4242 4242 4242 4242, any future date and any CVC."
        }
      >
        {({ id }) => (
          <div className="input h-auto w-full border-line bg-base-100 py-3.5">
            <CardElement
              id={id}
              className="w-full"
              options={{ style: cardStyle(), hidePostalCode: true }}
              onChange={({ complete, error }) => {
                setCard({ complete, ...(error && { error: error.message }) });
              }}
              onFocus={() => pay.isError && pay.reset()}
            />
          </div>
        )}
      </Field>
      <FormMessage message={pay.error?.message ?? intent.error?.message} />
      {intent.error && (
        <Button look="plain" busy={intent.isFetching} onClick={() => void intent.refetch()}>
          Try again
        </Button>
      )}
      <Button
        type="submit"
        size="large"
        busy={pay.isPending}
        disabled={!card.complete || secret === undefined}
      >
        <Icon name="lock" className="size-4.5" />
        Pay {formatPrice(price)}
      </Button>
      <p className="text-muted text-sm">
        {`We keep your money until ${complaintHours} hours after the handover. Your card details go straight to our payment provider. We never see them.`}
      </p>
    </form>
  );
}

type CardState = { complete: boolean; error?: string };

/** The card fields are in the provider's iframe, which does not inherit our styles. */
function cardStyle() {
  const { color, fontFamily } = getComputedStyle(document.body);
  const muted = getComputedStyle(document.documentElement).getPropertyValue("--color-muted");
  const error = getComputedStyle(document.documentElement).getPropertyValue("--color-error");
  return {
    base: { color, fontFamily, fontSize: "16px", "::placeholder": { color: muted } },
    invalid: { color: error },
  };
}

/** Resolves after the charge and the attempt to record it (specification 4 and 8). */
function usePay(booking: Booking, { displayName, email }: Session["user"]) {
  const stripe = useStripe();
  const elements = useElements();
  return useMutationOnce({
    mutationFn: async (clientSecret: string) => {
      const card = elements?.getElement(CardElement);
      if (!stripe || !card) throw new Error("The card form isn't ready yet. Please try again.");
      const billing_details = { name: displayName, email };
      const transactionId = succeeded(
        await stripe.confirmCardPayment(clientSecret, {
          payment_method: { card, billing_details },
        }),
      );
      return { transactionId, isRecorded: await record(booking, { transactionId, email }) };
    },
    meta: { changes: changesOf(recordPayment) },
  });
}

/** Returns the payment's id, also if an earlier attempt succeeded but its response was lost. */
function succeeded({ error, paymentIntent }: PaymentIntentResult): string {
  const intent = paymentIntent ?? error?.payment_intent;
  if (intent?.status === "succeeded") return intent.id;
  throw new Error(error?.message ?? "The payment isn't complete yet. Please try again.");
}

/** False if the outcome is unknown. The webhook then records the payment. */
async function record(
  { _id, amountDue: price, bookingProduct }: Booking,
  paid: { transactionId: string; email: string },
): Promise<boolean> {
  const body = { price, ...paid, bookingId: _id, productId: bookingProduct._id };
  return await browserApi(recordPayment, { body }).then(
    () => true,
    (error: unknown) => {
      // A 4xx is the server's decision.
      if (error instanceof CallError && error.status >= 400 && error.status < 500) throw error;
      return false;
    },
  );
}
