import { maxReviewLength, type ReviewedDeal, reviewForm, writeReview } from "#contract/reviews.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft } from "#web/ui/drafts.ts";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { StarChoice } from "#web/ui/Stars.tsx";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";

export function ReviewForm({ deal }: { deal: ReviewedDeal }) {
  const draft = { name: `review ${deal._id}`, fields: ["stars", "text"] } as const;
  const form = useZodForm(reviewForm, { stars: "", text: "" }, draft);
  const write = useCall(writeReview, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      clearDraft(draft.name);
      toast.success("Thanks for your review.");
    },
  });
  const submit = form.handleSubmit((review) =>
    write.mutate({ body: { booking: deal._id, ...review } }),
  );
  const { errors } = form.formState;
  return (
    <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-2">
      <StarChoice legend="Stars" error={errors.stars?.message} {...form.register("stars")} />
      <FormField
        form={form}
        name="text"
        label="How was it?"
        as="textarea"
        maxLength={maxReviewLength}
        hint="You can't change it later. Phone numbers, email addresses and links are removed."
      />
      <FormMessage message={errors.root?.message} />
      <Button type="submit" busy={write.isPending} className="self-start">
        Send review
      </Button>
    </form>
  );
}
