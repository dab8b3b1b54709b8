import { useQuery } from "@tanstack/react-query";
import { type Category, listCategories } from "#contract/categories.ts";
import type { Facts } from "#contract/facts.ts";
import type { ProductWithContact } from "#contract/products.ts";
import { queryOf } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { UploadProgress } from "#web/ui/UploadProgress.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { useMoreDetails } from "./FactsFields.tsx";
import { ProductFields } from "./ProductFields.tsx";
import {
  type FilledProduct,
  formFieldOf,
  type ProductForm,
  productWithPhotoForm,
  toForm,
} from "./product-form.ts";
import { Questions } from "./Questions.tsx";
import { useEditProduct } from "./use-edit-product.ts";
import { usePictureUploads } from "./use-picture-uploads.ts";
import { useQuestions } from "./use-questions.ts";

type EditProductFormProps = {
  product: ProductWithContact & { serial_end: string | null };
  facts: Facts;
  /** The addresses of the listing's photos, cover first. */
  images: string[];
  /** The facts that the machine reported, as JSON (`reported-facts.ts`). */
  reported: string;
  onChanged: () => void;
};

/** The Add Product form, for an existing listing. */
export function EditProductForm(props: EditProductFormProps) {
  const categories = useQuery(queryOf(listCategories, {}));
  return (
    <QueryState query={categories} skeleton={<div className="skeleton h-[60rem]" />}>
      {(known) => <ListedProductForm {...props} categories={known} />}
    </QueryState>
  );
}

function ListedProductForm({
  product,
  facts,
  images,
  reported,
  onChanged,
  categories,
}: EditProductFormProps & { categories: Category[] }) {
  const form = useZodForm<ProductForm, FilledProduct>(productWithPhotoForm, {
    ...toForm(product, facts, images),
    reported,
  });
  const pictures = usePictureUploads(form);
  const edit = useEditProduct(product, pictures, onChanged);
  const moreDetails = useMoreDetails();
  const { questions, isAnswered } = useQuestions();
  const onError = (error: Error) => {
    moreDetails.openForRefusal(error);
    showFormError(form, error, formFieldOf);
  };
  return (
    <form
      onSubmit={form.handleSubmit((changed) => {
        if (isAnswered(changed)) edit.mutate(changed, { onError });
      }, moreDetails.openForErrors)}
      noValidate
      className="fields gap-x-6 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:grid-cols-2 sm:p-8"
    >
      <ProductFields
        form={form}
        sellerName={product.seller_name}
        categories={categories}
        moreDetails={moreDetails.ref}
        pictures={pictures}
        serialEnd={product.serial_end}
      />
      <div className="flex flex-col gap-4 sm:col-span-2">
        {edit.isPending && <UploadProgress value={edit.progress} />}
        <FormMessage message={form.formState.errors.root?.message} />
        <Questions questions={questions} button="Save Changes" />
        <Button type="submit" size="large" className="sm:self-start" busy={edit.isPending}>
          Save Changes
        </Button>
      </div>
    </form>
  );
}
