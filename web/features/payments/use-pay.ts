import { CardElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { PaymentIntentResult } from "@stripe/stripe-js";
import type { Booking } from "#contract/bookings.ts";
import { changesOf } from "#contract/call-resources.ts";
import { CallError } from "#contract/client.ts";
import { recordPayment } from "#contract/payments.ts";
import { browserApi, useMutationOnce } from "#web/api/api.ts";
import type { Session } from "#web/auth/session.ts";

/** Resolves to the transaction id. Errors carry the provider's message (specification 4 and 8). */
export function usePay(booking: Booking, { displayName, email }: Session["user"]) {
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
      await record(booking, { transactionId, email });
      return transactionId;
    },
    meta: { changes: changesOf(recordPayment) },
  });
}

/** Also finds a payment that succeeded in an earlier attempt whose response was lost. */
function succeeded({ error, paymentIntent }: PaymentIntentResult): string {
  const intent = paymentIntent ?? error?.payment_intent;
  if (intent?.status === "succeeded") return intent.id;
  throw new Error(error?.message ?? "The payment isn't complete yet. Please try again.");
}

/** A 4xx is the server's decision. After any other error, the webhook records the payment. */
async function record(
  { _id, amountDue: price, bookingProduct }: Booking,
  paid: { transactionId: string; email: string },
) {
  const body = { price, ...paid, bookingId: _id, productId: bookingProduct._id };
  await browserApi(recordPayment, { body }).catch((error: unknown) => {
    if (error instanceof CallError && error.status >= 400 && error.status < 500) throw error;
    throw new PaymentNotRecordedError();
  });
}

/** The card was charged, but the server has not confirmed that the payment is recorded. */
export class PaymentNotRecordedError extends Error {
  override message =
    "Your payment went through, but we haven't recorded it yet. It will appear in My Orders in a few minutes. You don't need to pay again.";
}
