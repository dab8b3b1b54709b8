import { reportReview } from "#contract/reviews.ts";
import { useCall } from "#web/api/api.ts";
import { TextDialog } from "#web/ui/TextDialog.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useFormWithDraft } from "#web/ui/use-zod-form.ts";

export default function ReportReviewForm({ id, onClose }: { id: string; onClose: () => void }) {
  const form = useFormWithDraft({ defaultValues: { comment: "" } });
  const report = useCall(reportReview, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      toast.success("Reported. Our team will read this review.");
      onClose();
    },
  });
  return (
    <TextDialog
      title="Report this review"
      form={form}
      name="comment"
      label="Comment"
      hint="What is wrong?"
      busy={report.isPending}
      onSubmit={(body) => report.mutate({ params: { id }, body })}
      onClose={onClose}
    />
  );
}
