import { useState } from "react";
import { Link } from "react-router";
import type { OfferState } from "#contract/life-cycle.ts";
import {
  acceptOffer,
  counterForm,
  counterOffer,
  declineOffer,
  type Offer,
  withdrawOffer,
} from "#contract/offers.ts";
import { currencySign, formatPrice } from "#contract/price.ts";
import { CallButton, ConfirmCallButton } from "#web/api/CallButton.tsx";
import { useFormCall } from "#web/api/form-call.tsx";
import { LaptopLink } from "#web/domain/products/ProductName.tsx";
import { ratingText } from "#web/domain/sellers/seller-texts.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { DialogSubmit, Form, FormField } from "#web/ui/Form.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";

export function OfferCard({ offer }: { offer: Offer }) {
  const { product, role, other, price } = offer;
  return (
    <article
      aria-label={`${formatPrice(price)} for ${product.product_name}`}
      className="flex flex-col gap-3"
    >
      <div className="flex gap-3">
        <span className="shrink-0">
          {product.img !== null && <Thumbnail img={product.img} alt="" />}
        </span>
        <div className="min-w-0">
          <p className="font-medium">
            <LaptopLink {...product} />
          </p>
          <p className="text-muted text-sm">
            {role === "buyer" ? "Seller: " : "Buyer: "}
            <bdi>{other.name}</bdi>
            {other.rating && `, ${ratingText(other.rating)}`}
          </p>
          <OfferTerms offer={offer} />
        </div>
      </div>
      {offer.state === "open" && <OfferActions offer={offer} />}
    </article>
  );
}

export function OfferTerms({ offer }: { offer: Offer }) {
  const { product, role, price, state, bookingId } = offer;
  return (
    <>
      <p>
        {who(offer)} <strong>{formatPrice(price)}</strong>
        <span className="text-muted text-sm">{` (listed for ${formatPrice(product.price)})`}</span>
      </p>
      <p className="text-muted text-sm">{statusOf(offer)}</p>
      {state === "accepted" && bookingId !== null && (
        <Link
          to={role === "buyer" ? paths.payment(bookingId) : paths.myProducts()}
          className="link text-sm"
        >
          {role === "buyer" ? "Go to payment" : "Go to My Products"}
        </Link>
      )}
    </>
  );
}

function who({ mine, role }: Offer): string {
  if (mine) return "You offer";
  return role === "buyer" ? "The seller asks" : "The buyer offers";
}

const closed: Record<Exclude<OfferState, "open">, string> = {
  accepted: "Accepted. The laptop was put on hold at this price.",
  declined: "Declined.",
  countered: "Answered with another price.",
  withdrawn: "Withdrawn.",
  expired: "Nobody answered within 48 hours.",
  ended: "Ended: the laptop was booked or withdrawn, or its price fell.",
};

function statusOf({ state, expiresAt, belowFloor }: Offer): string {
  if (state !== "open") return closed[state];
  const until = `Open until ${formatDateTime(expiresAt)}.`;
  return belowFloor
    ? `${until} It's below your lowest price, so we decline it for you unless you accept it first.`
    : until;
}

export function OfferActions({ offer }: { offer: Offer }) {
  const { _id: id, mine } = offer;
  if (!mine) return <Answers offer={offer} />;
  return (
    <div>
      <CallButton call={withdrawOffer} request={{ params: { id } }}>
        Withdraw offer
      </CallButton>
    </div>
  );
}

function Answers({ offer }: { offer: Offer }) {
  const { _id: id, price, role, product } = offer;
  const [isCountering, setCountering] = useState(false);
  const sum = formatPrice(price);
  return (
    <div className="flex flex-wrap gap-2">
      <ConfirmCallButton
        look="primary"
        label={`Accept ${sum} for ${product.product_name}`}
        title={`Accept ${sum}?`}
        message={
          role === "buyer"
            ? "We hold the laptop for you at this price. You aren't charged until you pay."
            : "We hold the laptop for the buyer at this price. They still have to pay."
        }
        call={acceptOffer}
        request={{ params: { id } }}
        success="Accepted. The laptop is on hold at this price."
      >
        Accept
      </ConfirmCallButton>
      <Button look="plain" size="small" onClick={() => setCountering(true)}>
        Another price
      </Button>
      <CallButton look="quiet" call={declineOffer} request={{ params: { id } }}>
        Decline
      </CallButton>
      {isCountering && <CounterForm offer={offer} onClose={() => setCountering(false)} />}
    </div>
  );
}

function CounterForm({ offer, onClose }: { offer: Offer; onClose: () => void }) {
  const form = useZodForm(counterForm, { price: "" });
  const counter = useFormCall(form, counterOffer, { onSuccess: onClose });
  return (
    <Dialog title="Name another price" onClose={onClose}>
      <Form form={form} onSubmit={(body) => counter.mutate({ params: { id: offer._id }, body })}>
        <FormField
          form={form}
          name="price"
          label={`Your price (${currencySign()})`}
          inputMode="decimal"
          hint={`They offer ${formatPrice(offer.price)}; the laptop is listed for ${formatPrice(offer.product.price)}.`}
        />
        <DialogSubmit form={form} busy={counter.isPending} />
      </Form>
    </Dialog>
  );
}
