import { useInfiniteQuery } from "@tanstack/react-query";
import {
  closeReviewReport,
  listReviewReports,
  type ReviewReport,
  removeReview,
} from "#contract/reviews.ts";
import { listOf, useCall } from "#web/api/api.ts";
import { TextDialogButton } from "#web/domain/forms/TextDialogButton.tsx";
import { Button } from "#web/ui/Button.tsx";
import { formatDate } from "#web/ui/format.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Stars } from "#web/ui/Stars.tsx";
import { UserText } from "#web/ui/UserText.tsx";

export function ReviewReports() {
  const reports = useInfiniteQuery(listOf(listReviewReports, {}));
  return (
    <QueryState
      query={reports}
      skeleton={<div className="h-40" />}
      empty={<p className="text-muted">No review is reported.</p>}
    >
      {(all) => (
        <ul className="divide-y divide-line rounded-box border border-line">
          {all.map((report) => (
            <li key={report._id} className="p-4">
              <Report report={report} />
            </li>
          ))}
        </ul>
      )}
    </QueryState>
  );
}

function Report({ report }: { report: ReviewReport }) {
  const { _id, comment, reportedAt, reporter, author, subject, review } = report;
  const close = useCall(closeReviewReport);
  return (
    <article>
      <p dir="auto" className="user-text">
        {comment}
      </p>
      <p className="text-muted text-sm">
        <UserText>{reporter.name}</UserText>, {formatDate(reportedAt)}
      </p>
      <blockquote className="reply">
        <p className="text-muted text-sm">
          <UserText>{author.name}</UserText> about <UserText>{subject.name}</UserText>
        </p>
        <Stars stars={review.stars} />
        <p dir="auto" className="user-text whitespace-pre-line">
          {review.text}
        </p>
      </blockquote>
      <div className="flex flex-wrap gap-2">
        <TextDialogButton
          look="danger"
          call={removeReview}
          request={(reason) => ({ params: { id: review._id }, body: { reason } })}
          title="Remove this review"
          name="reason"
          label="Reason"
          hint="Nobody will be able to read the review any more, and it won't count. The audit log keeps the reason."
        >
          Remove review
        </TextDialogButton>
        <Button
          look="plain"
          size="small"
          busy={close.isPending}
          onClick={() => close.mutate({ params: { id: _id } })}
        >
          Close report
        </Button>
      </div>
    </article>
  );
}
