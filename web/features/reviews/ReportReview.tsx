import { reportReview } from "#contract/reviews.ts";
import { TextDialogButton } from "#web/domain/forms/TextDialogButton.tsx";
import { Icon } from "#web/ui/Icon.tsx";

export function ReportReview({ id }: { id: string }) {
  return (
    <TextDialogButton
      look="quiet"
      call={reportReview}
      request={(comment) => ({ params: { id }, body: { comment } })}
      title="Report this review"
      name="comment"
      label="Comment"
      hint="What is wrong?"
      success="Reported. Our team will read this review."
    >
      <Icon name="flag" className="size-4" />
      Report
    </TextDialogButton>
  );
}
