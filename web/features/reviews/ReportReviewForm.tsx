import { reportReview } from "#contract/reviews.ts";
import { useCall } from "#web/api/api.ts";
import { Dialog, DialogSubmit } from "#web/ui/Dialog.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { toast } from "#web/ui/toast.ts";
import { useFormWithDraft } from "#web/ui/use-zod-form.ts";

export default function ReportReviewForm({ id, onClose }: { id: string; onClose: () => void }) {
  const form = useFormWithDraft({ defaultValues: { comment: "" } });
  const report = useCall(reportReview, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      toast.success("Reported. Our team will read this review.");
      onClose();
    },
  });
  const submit = form.handleSubmit((body) => report.mutate({ params: { id }, body }));
  return (
    <Dialog title="Report this review" onClose={onClose}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-2">
        <FormField form={form} name="comment" label="Comment" as="textarea" hint="What is wrong?" />
        <FormMessage message={form.formState.errors.root?.message} />
        <DialogSubmit busy={report.isPending} />
      </form>
    </Dialog>
  );
}
