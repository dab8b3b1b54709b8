import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { toast } from "sonner";
import { bookProduct, listBookings } from "#contract/bookings.ts";
import { listCategoryProducts } from "#contract/categories.ts";
import { readConfig } from "#contract/config.ts";
import { formatPrice } from "#contract/money.ts";
import { listAdvertisedProducts, type Product } from "#contract/products.ts";
import { queryOf, useCall } from "#web/api.ts";
import type { Session } from "#web/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { forgetDraft } from "#web/ui/drafts.ts";
import { ReadOnlyField } from "#web/ui/Field.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { timeLeftInWords } from "#web/ui/in-words.ts";
import { ProductName } from "#web/ui/ProductName.tsx";
import { showInFields } from "#web/ui/show-refusal.ts";
import { useDraftedForm } from "#web/ui/use-checked-form.ts";

type BookProductFormProps = {
  product: Product;
  member: Session["user"];
  onClose: () => void;
  onBooked: () => void;
};

/** The booking dialog (specification 2): holds the laptop for this buyer. */
export function BookProductForm({ product, member, onClose, onBooked }: BookProductFormProps) {
  const draft = useMemo(() => draftOf(product), [product]);
  const form = useDraftedForm({ defaultValues: { phone: "", location: "" } }, draft);
  const book = useCall(bookProduct, {
    changes: [listBookings, listCategoryProducts, listAdvertisedProducts],
    onError: (error) => {
      if (!showInFields(form, error)) toast.error(error.message);
    },
    onSuccess: () => {
      forgetDraft(draft.name);
      toast.success("Booking confirmed.");
      onBooked();
    },
  });
  const { product_name, resale_price, description } = product;
  const submit = form.handleSubmit((values) =>
    book.mutate({
      body: {
        ...values,
        name: member.displayName,
        email: member.email,
        price: resale_price,
        paid: false,
        bookingProduct: product,
      },
    }),
  );
  return (
    <Dialog title={<ProductName name={product_name} />} onClose={onClose}>
      <p className="-mt-3 whitespace-pre-line break-words text-sm">{description}</p>
      <form onSubmit={submit} noValidate className="flex flex-col gap-2">
        <div className="fields -mb-2 sm:grid-cols-2">
          <ReadOnlyField label="Name" value={member.displayName} />
          <ReadOnlyField label="Email" value={member.email} />
        </div>
        <ReadOnlyField label="Price" value={formatPrice(resale_price)} />
        <FormField
          form={form}
          name="phone"
          label="Phone"
          type="tel"
          autoComplete="tel"
          placeholder="503-555-0100"
          hint="Only the seller sees it."
        />
        <FormField
          form={form}
          name="location"
          label="Meeting Location"
          placeholder="Central Library, main entrance"
          enterKeyHint="send"
        />
        <HowLong />
        <Button type="submit" size="large" className="mt-2" busy={book.isPending}>
          Submit
        </Button>
      </form>
    </Dialog>
  );
}

function HowLong() {
  const { data: config } = useQuery(queryOf(readConfig, {}));
  const time = config && ` for ${timeLeftInWords(config.holdMinutes * 60_000)}`;
  return (
    <p className="text-balance text-muted text-sm">
      We hold the laptop for you{time}, and that costs nothing. You pay from My Orders.
    </p>
  );
}

function draftOf({ _id }: Product) {
  return { name: `booking ${_id}`, fields: ["phone", "location"] } as const;
}
