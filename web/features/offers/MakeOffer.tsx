import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { z } from "zod";
import type { Answer } from "#contract/call.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { makeOffer, offerForm, offerHours } from "#contract/offers.ts";
import { currencySign, formatPrice } from "#contract/price.ts";
import { queryOf } from "#web/api/api.ts";
import { useFormCall } from "#web/api/form-call.tsx";
import { LaptopLink } from "#web/domain/products/ProductName.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmButton.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { OfferCard } from "./OfferCard.tsx";
import { offersFor } from "./OfferList.tsx";

type MakeOfferProps = { laptopId: string; onMade: () => void };

export function MakeOffer({ laptopId, onMade }: MakeOfferProps) {
  const open = useInfiniteQuery({ ...offersFor(laptopId), refetchInterval: 30_000 });
  return (
    <section aria-labelledby="make-offer" className="mb-8 max-w-2xl">
      <QueryState query={open} skeleton={<div className="h-60" />}>
        {(offers) => {
          const offer = offers.find(({ role }) => role === "buyer");
          return (
            <>
              <h2 id="make-offer" className="mb-2 text-heading">
                {offer ? "Your open offer for this laptop" : "Make an offer"}
              </h2>
              {offer ? (
                <div className="rounded-box border border-line bg-base-100 p-4">
                  <OfferCard offer={offer} />
                </div>
              ) : (
                <NewOffer laptopId={laptopId} onMade={onMade} />
              )}
            </>
          );
        }}
      </QueryState>
    </section>
  );
}

function NewOffer({ laptopId, onMade }: MakeOfferProps) {
  const laptop = useQuery(queryOf(readProduct, { params: { id: laptopId } }));
  return (
    <QueryState query={laptop} skeleton={<div className="h-60" />}>
      {(known) => (
        <>
          <p>
            <LaptopLink {...known} />
          </p>
          {!known.withdrawn && <p>{`Listed for ${formatPrice(known.resale_price)}`}</p>}
          {!known.withdrawn && known.sales_status === "available" ? (
            <OfferForm laptopId={laptopId} listed={known.resale_price} onMade={onMade} />
          ) : (
            <p className="mt-4">{unavailableText(known)}</p>
          )}
        </>
      )}
    </QueryState>
  );
}

function unavailableText(laptop: Answer<typeof readProduct>): string {
  if (laptop.withdrawn) return "This laptop is no longer for sale.";
  if (laptop.sales_status === "sold") return "This laptop has been sold.";
  return "Someone has just booked this laptop. If they don't buy it, you can make an offer again.";
}

/** Below this share of the price, the buyer must confirm the offer. */
const lowPart = 0.5;

function OfferForm({ laptopId, listed, onMade }: MakeOfferProps & { listed: number }) {
  const [low, setLow] = useState<z.output<typeof offerForm>>();
  const draft = { name: `offer ${laptopId}`, fields: ["price", "phone", "location"] } as const;
  const form = useZodForm(offerForm, { price: "", phone: "", location: "" }, draft);
  const make = useFormCall(form, makeOffer, {
    draft: draft.name,
    success: "Your offer is on its way to the seller.",
    onSuccess: onMade,
  });
  const send = (offer: z.output<typeof offerForm>) => {
    setLow(undefined);
    make.mutate({ body: { ...offer, product: { _id: laptopId } } });
  };
  return (
    <>
      {low && (
        <ConfirmDialog
          title="Send anyway?"
          message={`${formatPrice(low.price)} is less than half of the price. The seller may not answer.`}
          confirm="Send anyway"
          look="primary"
          busy={false}
          onConfirm={() => send(low)}
          onCancel={() => setLow(undefined)}
        />
      )}
      <Form
        form={form}
        onSubmit={(offer) => (offer.price < listed * lowPart ? setLow(offer) : send(offer))}
        className="mt-4 flex flex-col gap-2"
      >
        <FormField
          form={form}
          name="price"
          label={`Your price (${currencySign()})`}
          inputMode="decimal"
        />
        <FormField
          form={form}
          name="phone"
          label="Phone"
          type="tel"
          autoComplete="tel"
          placeholder="503-555-0100"
          hint="The seller sees it once they accept."
        />
        <FormField
          form={form}
          name="location"
          label="Meeting Location"
          placeholder="Central Library, main entrance"
        />
        <FormMessage message={form.formState.errors.root?.message} />
        <p className="text-muted text-sm">
          {`The seller has ${offerHours} hours to answer. If they accept, we hold the laptop for you at your price, free of charge. Until then, others can still book it.`}
        </p>
        <Button type="submit" busy={make.isPending} className="self-start">
          Send offer
        </Button>
      </Form>
    </>
  );
}
