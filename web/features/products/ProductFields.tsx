import type { Ref } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Category } from "#contract/categories.ts";
import { conditionDescriptions, conditions } from "#contract/products.ts";
import { ReadOnlyField } from "#web/ui/Field.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FactsFields } from "./FactsFields.tsx";
import { FairPriceHint } from "./FairPriceHint.tsx";
import { ListingPhotosField } from "./ListingPhotosField.tsx";
import { ModelField } from "./ModelField.tsx";
import type { PictureUploads } from "./picture-uploads.ts";
import type { ProductForm } from "./product-form.ts";
import "./product-form.css";
import { SerialNumberField } from "./SerialNumberField.tsx";

const conditionOptions = [
  { value: "", label: "Choose a condition" },
  ...conditions.map((condition) => ({ value: condition, label: condition })),
];

type ProductFieldsProps = {
  form: Omit<UseFormReturn<ProductForm>, "handleSubmit" | "control">;
  sellerName: string;
  categories: Category[];
  /** The optional fields (`FactsFields`). */
  moreDetails: Ref<HTMLDetailsElement>;
  pictures: PictureUploads;
  /** The last four characters of the listing's serial number. */
  serialEnd?: string | null;
  /** Called with the file of the chosen cover; undefined if the cover is uploaded or unreadable. */
  onPhoto?: (file: File | undefined) => void;
};

/** The fields of a listing (specification 5, Add Product), then the optional ones. */
export function ProductFields({
  form,
  sellerName,
  categories,
  moreDetails,
  pictures,
  serialEnd,
  onPhoto,
}: ProductFieldsProps) {
  const options = categories.map(({ _id, product_category }) => ({
    value: _id,
    label: product_category,
  }));
  const money = { type: "number", min: 1, step: "0.01", inputMode: "decimal" } as const;
  const number = { type: "number", step: 1, inputMode: "numeric" } as const;
  return (
    <>
      <ModelField form={form} categories={categories} />
      <ReadOnlyField label="Seller Name" value={sellerName} />
      <FormField
        form={form}
        name="category"
        label="Category"
        as="select"
        options={[{ value: "", label: "Choose a category" }, ...options]}
        hint="The laptop's brand."
      />
      <FormField
        form={form}
        name="condition"
        label="Condition"
        as="select"
        options={conditionOptions}
        hint={
          conditionDescriptions[form.watch("condition")] ?? "How it looks and how well it works."
        }
      />
      <FormField form={form} name="resalePrice" label="Resale Price ($)" {...money} />
      <FormField form={form} name="originalPrice" label="Original Price ($)" {...money} />
      <FormField
        form={form}
        name="purchaseYear"
        label="Year of Purchase"
        {...number}
        placeholder="2022"
      />
      <FormField
        form={form}
        name="duration"
        label="Use Duration (months)"
        {...number}
        placeholder="18"
      />
      <FormField
        form={form}
        name="mobileNumber"
        label="Mobile Number"
        type="tel"
        autoComplete="tel"
        placeholder="503-555-0100"
        hint="Only the buyer who books your laptop sees it."
      />
      <FairPriceHint form={form} />
      <FormField
        form={form}
        name="location"
        label="Location"
        autoComplete="address-level2"
        placeholder="Portland, OR"
        hint="Pickup town."
      />
      <FormField
        form={form}
        name="productDescription"
        label="Product Description"
        as="textarea"
        hint="Tell buyers what you'd tell a friend, faults included. Phone numbers, emails and links stay hidden until someone books your laptop."
      />
      <SerialNumberField form={form} stored={serialEnd} />
      <ListingPhotosField form={form} pictures={pictures} onPhoto={onPhoto} />
      <FactsFields form={form} section={moreDetails} />
    </>
  );
}
