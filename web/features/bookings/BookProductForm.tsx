import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { useNavigate } from "react-router";
import { bookProduct } from "#contract/bookings.ts";
import { readConfig } from "#contract/config.ts";
import { beforePayment } from "#contract/deal-texts.ts";
import { milesText, usualWithin } from "#contract/distance.ts";
import { formatPrice } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { readDistance } from "#contract/search.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import type { Session } from "#web/auth/session.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { Dialog } from "#web/ui/Dialog.tsx";
import { clearDraft } from "#web/ui/drafts.ts";
import { FixedField } from "#web/ui/Field.tsx";
import { DialogSubmit, Form, FormField } from "#web/ui/Form.tsx";
import { formatTimeLeft } from "#web/ui/TimeLeft.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFieldErrors, useFormWithDraft } from "#web/ui/use-zod-form.ts";

type BookProductFormProps = {
  product: Product;
  member: Session["user"];
  onClose: () => void;
  onBooked: () => void;
  /** A note about an invited friend's discount. */
  discount: ReactNode;
};

export default function BookProductForm(props: BookProductFormProps) {
  const { product, member, onClose, onBooked, discount } = props;
  const draft = { name: `booking ${product._id}`, fields: ["phone", "location"] } as const;
  const form = useFormWithDraft({ defaultValues: { phone: "", location: "" } }, draft);
  const [place, setPlace] = useState(() => form.getValues("location"));
  const navigate = useNavigate();
  const book = useCall(bookProduct, {
    success: "Booking confirmed.",
    onError: (error) => {
      if (!showFieldErrors(form, error)) toast.error(error.message);
    },
    onSuccess: () => {
      clearDraft(draft.name);
      onBooked();
      void navigate(paths.myOrders(), { replace: true });
    },
  });
  const { product_name, resale_price, description } = product;
  const { displayName: name, email } = member;
  const order = { name, email, price: resale_price, paid: false, bookingProduct: product } as const;
  return (
    <Dialog title={<ProductName name={product_name} />} onClose={onClose}>
      <p
        dir="auto"
        className="user-text whitespace-pre-line text-sm max-sm:line-clamp-2 sm:-mt-3 sm:max-h-48 sm:overflow-y-auto"
      >
        {description}
      </p>
      <Form
        form={form}
        onSubmit={(values) => book.mutate({ body: { ...values, ...order } })}
        className="flex flex-col max-sm:[&>.field]:mb-1.5 sm:gap-2"
      >
        <FixedField label="Name" value={name} />
        <FixedField label="Email" value={email} />
        <FixedField label="Price" value={formatPrice(resale_price)} />
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
          onBlurCapture={() => setPlace(form.getValues("location"))}
        />
        <FarPlace place={place} laptop={product.location} />
        <Suspense>{discount}</Suspense>
        <HoldDuration />
        <DialogSubmit form={form} busy={book.isPending} />
      </Form>
    </Dialog>
  );
}

/** Warns if the meeting place names a town far from the laptop. */
function FarPlace({ place, laptop }: { place: string; laptop: string }) {
  const { data } = useQuery({
    ...queryOf(readDistance, { query: { from: place, to: laptop } }),
    enabled: place !== "",
  });
  const km = data?.km;
  return (
    <p role="status" className="text-balance text-sm">
      {km != null &&
        km > usualWithin &&
        `That's about ${milesText(km)} from the laptop in ${laptop}. Sellers rarely travel that far, so ask first.`}
    </p>
  );
}

function HoldDuration() {
  const { data: config } = useQuery(queryOf(readConfig, {}));
  const time = config && ` for ${formatTimeLeft(config.holdHours * 3_600_000)}`;
  return (
    <p className="text-balance text-muted text-sm">
      We'll hold the laptop for you{time}. {beforePayment.holdIsFree} {beforePayment.payWhenSure}
    </p>
  );
}
