import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { readProduct } from "#contract/laptops.ts";
import { makeOffer, offerForm, offerHours } from "#contract/offers.ts";
import { formatPrice } from "#contract/price.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft } from "#web/ui/drafts.ts";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { ProductName } from "#web/ui/ProductName.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";

/** The form to offer a price for a laptop. */
export function MakeOffer({ laptopId, onMade }: { laptopId: string; onMade: () => void }) {
  const laptop = useQuery(queryOf(readProduct, { params: { id: laptopId } }));
  return (
    <section aria-labelledby="make-offer" className="mb-8">
      <h2 id="make-offer" className="mb-2 text-heading">
        Make an offer
      </h2>
      <QueryState query={laptop} skeleton={<div className="h-60" />}>
        {(known) => (
          <>
            <p>
              <Link to={paths.laptop(known._id, known.product_name)} className="link-hover">
                <ProductName name={known.product_name} />
              </Link>
              {!known.withdrawn && `, listed for ${formatPrice(known.resale_price)}`}
            </p>
            <OfferForm laptopId={laptopId} onMade={onMade} />
          </>
        )}
      </QueryState>
    </section>
  );
}

function OfferForm({ laptopId, onMade }: { laptopId: string; onMade: () => void }) {
  const draft = { name: `offer ${laptopId}`, fields: ["price", "phone", "location"] } as const;
  const form = useZodForm(offerForm, { price: "", phone: "", location: "" }, draft);
  const make = useCall(makeOffer, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      clearDraft(draft.name);
      toast.success("Your offer is on its way to the seller.");
      onMade();
    },
  });
  const submit = form.handleSubmit((offer) =>
    make.mutate({ body: { ...offer, product: { _id: laptopId } } }),
  );
  return (
    <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-2">
      <FormField form={form} name="price" label="Your price" inputMode="decimal" />
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
    </form>
  );
}
