import type { Ref } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Category } from "#contract/categories.ts";
import { conditionDescriptions, conditions } from "#contract/products.ts";
import { ReadOnlyField } from "#web/ui/Field.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FactsFields } from "./FactsFields.tsx";
import { PhotoField } from "./PhotoField.tsx";
import type { ProductForm } from "./product-form.ts";

const conditionOptions = [
  { value: "", label: "Choose a condition" },
  ...conditions.map((condition) => ({ value: condition, label: condition })),
];

const unreadable = "Your browser can't open that file. Choose a JPEG, PNG, WebP or AVIF photo.";

type ProductFieldsProps = {
  form: Omit<UseFormReturn<ProductForm>, "handleSubmit" | "control">;
  sellerName: string;
  categories: Category[];
  /** The optional fields (`FactsFields`). */
  moreDetails: Ref<HTMLDetailsElement>;
  /** The photo of a listing that exists, which may stay. */
  listedPhoto?: string;
  /** Called with a chosen photo, and with undefined if the browser can't show it. */
  onPhoto?: (file: File | undefined) => void;
};

/** The fields of a listing (specification 5, Add Product), then the optional ones. */
export function ProductFields({
  form,
  sellerName,
  categories,
  moreDetails,
  listedPhoto,
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
      <ReadOnlyField label="Seller Name" value={sellerName} />
      <FormField
        form={form}
        name="productName"
        label="Product Name"
        placeholder="ThinkPad X1 Carbon Gen 9"
      />
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
        hint="Tell buyers what you'd tell a friend, faults included."
      />
      <PhotoField
        photo={form.watch("photo")}
        listed={listedPhoto}
        error={form.formState.errors.photo?.message}
        register={() => form.register("photo")}
        onChange={(photo) => form.setValue("photo", photo, { shouldValidate: true })}
        onChoose={(file) => onPhoto?.(file)}
        onBlur={() => void form.trigger("photo")}
        onUnreadable={() => {
          form.unregister("photo");
          onPhoto?.(undefined);
          form.setError("photo", { message: unreadable });
        }}
      />
      <FactsFields form={form} section={moreDetails} />
    </>
  );
}
