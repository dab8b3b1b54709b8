import { useQuery } from "@tanstack/react-query";
import { type Category, listCategories } from "#contract/categories.ts";
import { conditionDescriptions, conditions } from "#contract/products.ts";
import { queryOf } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraftFile, saveDraftFile } from "#web/ui/drafts.ts";
import { ReadOnlyField } from "#web/ui/Field.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { UploadProgress } from "#web/ui/UploadProgress.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { PhotoField } from "./PhotoField.tsx";
import {
  formFieldOf,
  productDraft,
  productWithPhotoForm,
  type Seller,
  useAddProduct,
} from "./use-add-product.ts";

const conditionOptions = [
  { value: "", label: "Choose a condition" },
  ...conditions.map((condition) => ({ value: condition, label: condition })),
];

const unreadable = "Your browser can't open that file. Choose a JPEG, PNG, WebP or AVIF photo.";

type AddProductFormProps = {
  seller: Seller;
  /** Restored after a reload. */
  draftPhoto: File | undefined;
  onAdded: () => void;
};

/** The Add Product form (specification 2 and 5). */
export function AddProductForm(props: AddProductFormProps) {
  const categories = useQuery(queryOf(listCategories, {}));
  return (
    <QueryState query={categories} skeleton={<div className="skeleton h-[60rem]" />}>
      {(known) => <Fields {...props} categories={known} />}
    </QueryState>
  );
}

function Fields({
  seller,
  draftPhoto,
  onAdded,
  categories,
}: AddProductFormProps & { categories: Category[] }) {
  const empty = {
    category: "",
    ...(draftPhoto && { photo: { file: draftPhoto, area: null } }),
  } as const;
  const form = useZodForm(productWithPhotoForm, empty, productDraft);
  const add = useAddProduct(seller, onAdded);
  const options = categories.map(({ _id, product_category }) => ({
    value: _id,
    label: product_category,
  }));
  const money = { type: "number", min: 1, step: "0.01", inputMode: "decimal" } as const;
  const number = { type: "number", step: 1, inputMode: "numeric" } as const;
  return (
    <form
      onSubmit={form.handleSubmit((product) =>
        add.mutate(product, { onError: (error) => showFormError(form, error, formFieldOf) }),
      )}
      noValidate
      className="fields gap-x-6 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:grid-cols-2 sm:p-8"
    >
      <ReadOnlyField label="Seller Name" value={seller.name} />
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
        error={form.formState.errors.photo?.message}
        register={() => form.register("photo")}
        onChange={(photo) => form.setValue("photo", photo, { shouldValidate: true })}
        onChoose={(file) => void saveDraftFile(productDraft.name, file).catch(() => {})}
        onBlur={() => void form.trigger("photo")}
        onUnreadable={() => {
          form.unregister("photo");
          void clearDraftFile(productDraft.name);
          form.setError("photo", { message: unreadable });
        }}
      />
      <div className="flex flex-col gap-4 sm:col-span-2">
        {add.isPending && <UploadProgress value={add.progress} />}
        <FormMessage message={form.formState.errors.root?.message} />
        <Button type="submit" size="large" className="sm:self-start" busy={add.isPending}>
          Add Product
        </Button>
      </div>
    </form>
  );
}
