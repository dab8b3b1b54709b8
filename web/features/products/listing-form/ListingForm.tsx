import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useNavigate } from "react-router";
import type { Resource } from "#contract/call.ts";
import { type Category, listCategories } from "#contract/categories.ts";
import { CallError } from "#contract/client.ts";
import { questionsAbout } from "#contract/doubtful-numbers.ts";
import { queryOf, useMutationOnce } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft, clearDraftFile, saveDraftFile } from "#web/ui/drafts.ts";
import { UploadProgress } from "#web/ui/FileButton.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError } from "#web/ui/use-zod-form.ts";
import { useMoreDetails } from "./FactsFields.tsx";
import { ListingFields } from "./ListingFields.tsx";
import { type PictureUploads, uploadListingPhoto, usePictureUploads } from "./photo-uploads.ts";
import {
  type FilledProduct,
  formFieldOf,
  type ProductForm,
  type ProductStep,
  productSteps,
  type StoredListing,
  toRequest,
} from "./product-form.ts";

type ListingFormProps = {
  form: UseFormReturn<ProductForm, unknown, FilledProduct>;
  /** `images` are the URLs of the photos, cover first. */
  send: (listing: FilledProduct, images: string[]) => Promise<void>;
  /** The resources that `send` changes on the server. */
  changes: readonly Resource[];
  /** Returns the message to show after saving. */
  saved: (productName: string) => string;
  button: string;
  /** The name of the form's draft, which also keeps the cover's file. */
  draft: string;
  sellerName: string;
  listing?: StoredListing;
  /** The only step to show; undefined shows all steps. */
  step?: ProductStep | undefined;
  goTo?: (step: ProductStep) => void;
};

/** Hidden steps keep their fields, so one submit sends all. */
export function ListingForm(props: ListingFormProps) {
  const { form, button, draft, step, goTo, listing, sellerName } = props;
  const categories = useQuery(queryOf(listCategories, {}));
  const pictures = usePictureUploads(form);
  const save = useSave(props, pictures);
  const { moreDetails, questions, submit, goOn } = useSubmit(props, save.mutate);
  const shown = useFocusOnStep(step);
  const at = step ? productSteps.indexOf(step) : productSteps.length;
  const [previous, next] = [step && productSteps[at - 1], productSteps[at + 1]];
  return (
    <QueryState query={categories} skeleton={<div className="skeleton h-[36rem]" />}>
      {(known) => (
        <form
          ref={shown}
          onSubmit={next ? (event) => goOn(event, next) : submit}
          noValidate
          className="listing-form"
        >
          <ListingFields
            form={form}
            pictures={pictures}
            sellerName={sellerName}
            listing={listing}
            categories={categoriesFor(known, listing)}
            moreDetails={moreDetails}
            step={step}
            onPhoto={(file) =>
              void (file ? saveDraftFile(draft, file) : clearDraftFile(draft)).catch(() => {})
            }
          />
          <div className="flex flex-col gap-4">
            {save.isPending && <UploadProgress value={save.progress} />}
            <FormMessage message={form.formState.errors.root?.message} />
            {questions.length > 0 && <Questions questions={questions} button={button} />}
            <div className="flex gap-3">
              {previous && (
                <Button look="plain" size="large" onClick={() => goTo?.(previous)}>
                  Back
                </Button>
              )}
              <Button type="submit" size="large" busy={save.isPending}>
                {next ? "Continue" : button}
              </Button>
            </div>
          </div>
        </form>
      )}
    </QueryState>
  );
}

function Questions({ questions, button }: { questions: string[]; button: string }) {
  return (
    <div role="alert" className="rounded-field bg-secondary px-4 py-3 text-secondary-content">
      {questions.map((question) => (
        <p key={question}>{question}</p>
      ))}
      <p>If it is, press {button} again.</p>
    </div>
  );
}

/** Includes a stored listing's category, which may be hidden. */
function categoriesFor(visible: Category[], listing: StoredListing | undefined): Category[] {
  if (!listing) return visible;
  const { product, category } = listing;
  const own = { _id: product.product_categoryId, product_category: category, brandImg: "" };
  return visible.some(({ _id }) => _id === own._id) ? visible : [...visible, own];
}

/** `progress` is the uploaded share of the cover, 0 to 1, if known. */
function useSave(props: ListingFormProps, pictures: PictureUploads) {
  const { send, changes, saved, draft } = props;
  const navigate = useNavigate();
  const [progress, setProgress] = useState<number | undefined>(0);
  const save = useMutationOnce({
    mutationFn: async (listing: FilledProduct) => {
      const others = await pictures.addresses();
      const cover = await uploadListingPhoto(listing.photo, setProgress);
      await send(listing, [cover, ...others]);
    },
    onSuccess: (_, { productName }) => {
      toast.success(saved(productName));
      clearDraft(draft);
      void navigate(paths.myProducts());
    },
    meta: { changes },
  });
  return { ...save, progress };
}

type Save = ReturnType<typeof useSave>["mutate"];

/** Saves or goes on to the next step. On errors, focuses the first invalid field. */
function useSubmit({ form, step, goTo }: ListingFormProps, save: Save) {
  const moreDetails = useMoreDetails();
  const { questions, isAnswered } = useQuestions();
  const focusFirst = (names: string[]) => {
    const at = productSteps.find(({ fields }) => fields.some((field) => names.includes(field)));
    const first = at?.fields.find((field) => names.includes(field));
    if (!at || !first) return;
    goTo?.(at);
    moreDetails.openFor(names);
    form.setFocus(first);
  };
  const onError = (error: Error) => {
    showFormError(form, error, formFieldOf);
    if (error instanceof CallError)
      focusFirst(Object.keys(error.fields).map((field) => formFieldOf[field] ?? field));
  };
  const submit = form.handleSubmit(
    (listing) => isAnswered(listing) && save(listing, { onError }),
    (errors) => focusFirst(Object.keys(errors)),
  );
  const goOn = async (event: FormEvent, next: ProductStep) => {
    event.preventDefault();
    const fields = step?.fields ?? [];
    if (await form.trigger(fields)) goTo?.(next);
    else focusFirst(fields.filter((field) => form.getFieldState(field).invalid));
  };
  return { moreDetails, questions, submit, goOn };
}

/** Focuses a new step's title, in a layout effect so that an invalid field can take focus later. */
function useFocusOnStep(step: ProductStep | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const last = useRef(step);
  useLayoutEffect(() => {
    if (step !== last.current)
      form.current
        ?.querySelector<HTMLElement>("section:not([hidden]) > h2")
        ?.focus({ preventScroll: true });
    last.current = step;
  }, [step]);
  return form;
}

/**
 * Asks once about numbers that are probably typos. If there are new questions, `isAnswered` shows
 * them and returns false. Submitting the listing again counts as the answer.
 */
function useQuestions() {
  const [questions, setQuestions] = useState<string[]>([]);
  const isAnswered = (product: FilledProduct) => {
    const found = questionsAbout(toRequest(product), new Date());
    setQuestions(found);
    return found.every((question) => questions.includes(question));
  };
  return { questions, isAnswered };
}
