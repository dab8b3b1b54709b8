import { reportReview } from "#contract/reviews.ts";
import { TextDialog } from "#web/api/form-call.tsx";

export default function ReportReviewForm({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <TextDialog
      title="Report this review"
      label="Comment"
      hint="What is wrong?"
      call={reportReview}
      field="comment"
      request={(comment) => ({ params: { id }, body: { comment } })}
      success="Reported. Our team will read this review."
      onClose={onClose}
    />
  );
}
