import { useQuery } from "@tanstack/react-query";
import { type Category, listCategories } from "#contract/categories.ts";
import { queryOf } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraftFile, saveDraftFile } from "#web/ui/drafts.ts";
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
  productDraft,
  productWithPhotoForm,
} from "./product-form.ts";
import { Questions } from "./Questions.tsx";
import { type Seller, useAddProduct } from "./use-add-product.ts";
import { usePictureUploads } from "./use-picture-uploads.ts";
import { useQuestions } from "./use-questions.ts";

type AddProductFormProps = {
  seller: Seller;
  /** The photo of the draft, restored after a reload. */
  draftPhoto: File | undefined;
  onAdded: () => void;
};

/** The Add Product form (specification 2 and 5). */
export function AddProductForm(props: AddProductFormProps) {
  const categories = useQuery(queryOf(listCategories, {}));
  return (
    <QueryState query={categories} skeleton={<div className="skeleton h-[60rem]" />}>
      {(known) => <NewProductForm {...props} categories={known} />}
    </QueryState>
  );
}

function NewProductForm({
  seller,
  draftPhoto,
  onAdded,
  categories,
}: AddProductFormProps & { categories: Category[] }) {
  const empty = {
    category: "",
    ports: [],
    pictures: [],
    ...(draftPhoto && { photo: { file: draftPhoto, area: null } }),
  };
  const form = useZodForm<ProductForm, FilledProduct>(productWithPhotoForm, empty, productDraft);
  const pictures = usePictureUploads(form);
  const add = useAddProduct(seller, pictures, onAdded);
  const moreDetails = useMoreDetails();
  const { questions, isAnswered } = useQuestions();
  const onError = (error: Error) => {
    moreDetails.openForRefusal(error);
    showFormError(form, error, formFieldOf);
  };
  return (
    <form
      onSubmit={form.handleSubmit((product) => {
        if (isAnswered(product)) add.mutate(product, { onError });
      }, moreDetails.openForErrors)}
      noValidate
      className="fields gap-x-6 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:grid-cols-2 sm:p-8"
    >
      <ProductFields
        form={form}
        sellerName={seller.name}
        categories={categories}
        moreDetails={moreDetails.ref}
        pictures={pictures}
        onPhoto={(file) =>
          void (
            file ? saveDraftFile(productDraft.name, file) : clearDraftFile(productDraft.name)
          ).catch(() => {})
        }
      />
      <div className="flex flex-col gap-4 sm:col-span-2">
        {add.isPending && <UploadProgress value={add.progress} />}
        <FormMessage message={form.formState.errors.root?.message} />
        <Questions questions={questions} button="Add Product" />
        <Button type="submit" size="large" className="sm:self-start" busy={add.isPending}>
          Add Product
        </Button>
      </div>
    </form>
  );
}
