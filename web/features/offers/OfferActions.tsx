import { useState } from "react";
import {
  acceptOffer,
  counterForm,
  counterOffer,
  declineOffer,
  type Offer,
  withdrawOffer,
} from "#contract/offers.ts";
import { formatPrice } from "#contract/price.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { Dialog, DialogSubmit } from "#web/ui/Dialog.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";

export function OfferActions({ offer }: { offer: Offer }) {
  const { _id: id, mine } = offer;
  const withdraw = useCall(withdrawOffer);
  if (!mine) return <Answers offer={offer} />;
  return (
    <div>
      <Button
        look="plain"
        size="small"
        busy={withdraw.isPending}
        onClick={() => withdraw.mutate({ params: { id } })}
      >
        Withdraw offer
      </Button>
    </div>
  );
}

function Answers({ offer }: { offer: Offer }) {
  const { _id: id, price, role, product } = offer;
  const [isCountering, setCountering] = useState(false);
  const accept = useCall(acceptOffer, {
    onSuccess: () => toast.success("Accepted. The laptop is on hold at this price."),
  });
  const decline = useCall(declineOffer);
  const sum = formatPrice(price);
  return (
    <div className="flex flex-wrap gap-2">
      <ConfirmButton
        look="primary"
        label={`Accept ${sum} for ${product.product_name}`}
        title={`Accept ${sum}?`}
        message={
          role === "buyer"
            ? "We hold the laptop for you at this price. You aren't charged until you pay."
            : "We hold the laptop for the buyer at this price. They still have to pay."
        }
        confirm="Accept"
        busy={accept.isPending}
        onConfirm={(done) => accept.mutate({ params: { id } }, { onSettled: done })}
      >
        Accept
      </ConfirmButton>
      <Button look="plain" size="small" onClick={() => setCountering(true)}>
        Another price
      </Button>
      <Button
        look="quiet"
        size="small"
        busy={decline.isPending}
        onClick={() => decline.mutate({ params: { id } })}
      >
        Decline
      </Button>
      {isCountering && <CounterForm offer={offer} onClose={() => setCountering(false)} />}
    </div>
  );
}

function CounterForm({ offer, onClose }: { offer: Offer; onClose: () => void }) {
  const form = useZodForm(counterForm, { price: "" });
  const counter = useCall(counterOffer, {
    onError: (error) => showFormError(form, error),
    onSuccess: onClose,
  });
  return (
    <Dialog title="Name another price" onClose={onClose}>
      <Form form={form} onSubmit={(body) => counter.mutate({ params: { id: offer._id }, body })}>
        <FormField
          form={form}
          name="price"
          label="Your price"
          inputMode="decimal"
          hint={`They offer ${formatPrice(offer.price)}; the laptop is listed for ${formatPrice(offer.product.price)}.`}
        />
        <FormMessage message={form.formState.errors.root?.message} />
        <DialogSubmit busy={counter.isPending} />
      </Form>
    </Dialog>
  );
}
