import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { Category } from "#contract/categories.ts";
import { readConfig } from "#contract/config.ts";
import { feeOf, feeText } from "#contract/fee.ts";
import { currencySign, formatPrice, toCents, toDollars } from "#contract/price.ts";
import { conditionDescriptions, conditions } from "#contract/products.ts";
import { queryOf } from "#web/api/api.ts";
import { ReadOnlyField } from "#web/ui/Field.tsx";
import { FormField } from "#web/ui/Form.tsx";
import { useShop } from "#web/ui/use-shop.ts";
import { FactsFields, type useMoreDetails, whole } from "./FactsFields.tsx";
import { FairPriceHint } from "./FairPriceHint.tsx";
import { ListingPhotosField } from "./ListingPhotosField.tsx";
import { MachineImport } from "./MachineImport.tsx";
import { ModelField } from "./ModelField.tsx";
import type { PictureUploads } from "./photo-uploads.ts";
import {
  type FilledProduct,
  type ProductForm,
  type ProductStep,
  productSteps,
  type StoredListing,
} from "./product-form.ts";
import "./product-form.css";

type FieldsProps = {
  form: UseFormReturn<ProductForm, unknown, FilledProduct>;
  sellerName: string;
  categories: Category[];
  moreDetails: ReturnType<typeof useMoreDetails>;
  pictures: PictureUploads;
  /** Undefined for a new listing. */
  listing: StoredListing | undefined;
  onPhoto: (file: File | undefined) => void;
};

/** A listing's fields (specification 5.3). If `step` is set, hides the other steps. */
export function ListingFields({ step, ...props }: FieldsProps & { step: ProductStep | undefined }) {
  return productSteps.map(({ id, title }) => {
    const Fields = fieldsOf[id];
    return (
      <section key={id} hidden={step !== undefined && step.id !== id}>
        <h2 tabIndex={-1} className="mb-4 text-heading">
          {title}
        </h2>
        <div className="fields gap-x-6 sm:grid-cols-2">
          <Fields {...props} />
        </div>
      </section>
    );
  });
}

const fieldsOf: Record<ProductStep["id"], ComponentType<FieldsProps>> = {
  photos: ListingPhotosField,
  model: ModelFields,
  condition: ConditionFields,
  price: PriceFields,
  contact: ContactFields,
};

function ModelFields({ form, categories, moreDetails, listing }: FieldsProps) {
  const serialEnd = listing?.product.serial_end;
  const options = categories.map(({ _id, product_category }) => ({
    value: _id,
    label: product_category,
  }));
  return (
    <>
      <MachineImport form={form} onImported={moreDetails.show} />
      <ModelField form={form} categories={categories} />
      <FormField
        form={form}
        name="category"
        label="Category"
        as="select"
        options={[{ value: "", label: "Choose a category" }, ...options]}
      />
      <FormField
        form={form}
        name="serialNumber"
        label="Serial Number (optional)"
        autoComplete="off"
        spellCheck={false}
        placeholder={serialEnd ? `Ends in ${serialEnd}` : "PF2X1A3B"}
        hint="We store only the last four characters and show them to the buyer after payment. Each laptop can be listed once."
      />
      {/* A seller who bought the laptop here proves the purchase with the transaction ID. */}
      {form.watch("serialNumber") && (
        <FormField
          form={form}
          name="transactionId"
          label="Transaction ID (if you bought it here)"
          autoComplete="off"
          spellCheck={false}
          hint="It's on your receipt, and in the email about your payment."
        />
      )}
      <FactsFields form={form} section={moreDetails.ref} />
    </>
  );
}

const conditionOptions = [
  { value: "", label: "Choose a condition" },
  ...conditions.map((condition) => ({ value: condition, label: condition })),
];

function ConditionFields({ form }: FieldsProps) {
  const explanations = useShop().conditions ?? conditionDescriptions;
  return (
    <>
      <div className="sm:col-span-2">
        <FormField
          form={form}
          name="condition"
          label="Condition"
          as="select"
          options={conditionOptions}
          hint={explanations[form.watch("condition")] ?? "How it looks and how well it works."}
        />
      </div>
      <FormField
        form={form}
        name="purchaseYear"
        label="Year of Purchase"
        {...whole}
        placeholder="2022"
      />
      <FormField
        form={form}
        name="duration"
        label="Use Duration (months)"
        {...whole}
        placeholder="18"
      />
      <div className="sm:col-span-2">
        <FormField
          form={form}
          name="productDescription"
          label="Product Description"
          as="textarea"
          hint="Tell buyers what you'd tell a friend, faults included. Phone numbers, emails and links stay hidden until someone books your laptop."
        />
      </div>
    </>
  );
}

const money = { type: "number", min: 1, step: "0.01", inputMode: "decimal" } as const;

function PriceFields({ form, listing }: FieldsProps) {
  return (
    <>
      <FormField
        form={form}
        name="resalePrice"
        label={`Resale Price (${currencySign()})`}
        {...money}
      />
      <FormField
        form={form}
        name="originalPrice"
        label={`Original Price (${currencySign()})`}
        {...money}
      />
      <FairPriceHint control={form.control} />
      <FeeHint control={form.control} />
      {listing && (
        <div className="sm:col-span-2">
          <FormField
            form={form}
            name="floor"
            label="Lowest price"
            inputMode="decimal"
            hint="We decline offers below it for you. Buyers never see it. Leave it empty to answer every offer yourself."
          />
        </div>
      )}
    </>
  );
}

function FeeHint({ control }: Pick<FieldsProps["form"], "control">) {
  const config = useQuery(queryOf(readConfig, {}));
  const typed = useWatch({ control, name: "resalePrice" });
  const words = config.data && feeText(config.data.fee);
  if (!words) return null;
  const cents = toCents(Number(typed) || 0);
  const gets = toDollars(cents - feeOf(cents, config.data.fee));
  return (
    <p className="text-muted text-sm sm:col-span-2">
      {`When it sells, we keep ${words}.`}
      {cents > 0 && ` At this price you get ${formatPrice(gets)}.`}
    </p>
  );
}

function ContactFields({ form, sellerName }: FieldsProps) {
  return (
    <>
      <div className="sm:col-span-2">
        <ReadOnlyField label="Seller Name" value={sellerName} />
      </div>
      <FormField
        form={form}
        name="mobileNumber"
        label="Mobile Number"
        type="tel"
        autoComplete="tel"
        placeholder="503-555-0100"
        hint="Only the buyer who books your laptop sees it."
      />
      <FormField
        form={form}
        name="location"
        label="Location"
        autoComplete="address-level2"
        placeholder="Portland, OR"
        hint="Pickup town."
      />
    </>
  );
}
