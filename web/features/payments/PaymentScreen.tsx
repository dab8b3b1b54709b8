import { Elements } from "@stripe/react-stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useQuery } from "@tanstack/react-query";
import type { Booking } from "#contract/bookings.ts";
import { readConfig } from "#contract/config.ts";
import { formatPrice } from "#contract/price.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries, invalidateReads } from "#web/api/query-client.ts";
import type { Session } from "#web/auth/session.ts";
import { Photo } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { TimeLeft } from "#web/ui/TimeLeft.tsx";
import { PayForm } from "./PayForm.tsx";
import { savingLines } from "./PaymentCompleted.tsx";

type PaymentScreenProps = { booking: Booking; member: Session["user"] };

export function PaymentScreen({ booking, member }: PaymentScreenProps) {
  const cardForm = useQuery({
    queryKey: ["card form"],
    queryFn: loadCardForm,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const { img, product_name, seller_name } = booking.bookingProduct;
  return (
    <div className="grid items-start gap-6 md:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="flex flex-col gap-6 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:p-8">
        <p className="text-lg">
          Please Pay <strong>{formatPrice(booking.amountDue)}</strong> for your booking product
        </p>
        <Savings booking={booking} />
        {booking.creditLimited && <p>{creditLimitedText(booking.credit)}</p>}
        {booking.noDiscount && <p>{noDiscountSentences[booking.noDiscount]}</p>}
        <QueryState query={cardForm} skeleton={<div className="skeleton h-40" />}>
          {({ stripe, tryOut }) => (
            <Elements stripe={stripe}>
              <PayForm booking={booking} member={member} tryOut={tryOut} />
            </Elements>
          )}
        </QueryState>
      </div>
      <div className="overflow-hidden rounded-box border border-line bg-base-100 shadow-rest max-md:order-first max-md:flex">
        <div className="max-md:w-28 max-md:flex-none">
          <Photo img={img} alt={product_name} sizes="17rem" eager />
        </div>
        <div className="p-4 text-muted text-sm max-md:self-center max-md:py-2">
          <p>
            From <bdi>{seller_name}</bdi>
          </p>
          <p>
            <TimeLeft until={booking.heldUntil} onExpired={refetchBooking} />
          </p>
        </div>
      </div>
    </div>
  );
}

function Savings({ booking }: { booking: Booking }) {
  if (booking.amountDue === booking.price) return null;
  return (
    <dl className="flex flex-col">
      {Object.entries({
        Price: formatPrice(booking.price),
        ...savingLines(booking),
        "To pay now": formatPrice(booking.amountDue),
      }).map(([term, amount]) => (
        <div key={term} className="flex justify-between gap-4">
          <dt>{term}</dt>
          <dd className="whitespace-nowrap tabular-nums">{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

const noDiscountSentences: Record<NonNullable<Booking["noDiscount"]>, string> = {
  inviter:
    "You don't get the invitation discount on this laptop: other friends of the person who invited you have used all discounts of the last 30 days. It's for your first purchase only, so if you buy now, you can't get it later.",
  seller:
    "You don't get the invitation discount on this laptop: other buyers from this seller have used all discounts of the last 30 days. It's for your first purchase only, so to keep it, choose a laptop from another seller.",
  budget:
    "You don't get the invitation discount on this laptop: we've given out all discounts for now. It's for your first purchase only, so if you buy now, you can't get it later.",
};

function creditLimitedText(credit: number): string {
  const used = credit === 0 ? "None" : `Only ${formatPrice(credit)}`;
  return `${used} of your credit can be used on this laptop: this seller's laptops have taken all the credit they can in 30 days. The rest stays yours for another laptop.`;
}

/** Refetches, except during a payment: a payment needs the form, and refetches at its end. */
function refetchBooking(): void {
  if (browserQueries.isMutating() === 0) void invalidateReads(browserQueries, ["bookings"]);
}

/** A null `cardScriptUrl` means Stripe's own script. Rejects with a message for the user. */
async function loadCardForm() {
  const { cardPublishableKey, cardScriptUrl } = await browserQueries.query({
    ...queryOf(readConfig, {}),
    staleTime: "static",
    retry: false, // The query that calls this function retries.
  });
  try {
    // This script sets `window.Stripe`, so the official loader uses that object and loads nothing.
    if (cardScriptUrl !== null) await import(/* @vite-ignore */ cardScriptUrl);
    return { stripe: await loadStripe(cardPublishableKey), tryOut: cardScriptUrl !== null };
  } catch (cause) {
    const message = "We couldn't load the card form. Check your connection and try again.";
    throw new Error(message, { cause });
  }
}
