import { useInfiniteQuery } from "@tanstack/react-query";
import {
  closeReviewReport,
  listReviewReports,
  type ReviewReport,
  removeReview,
} from "#contract/reviews.ts";
import { listOf } from "#web/api/api.ts";
import { CallButton } from "#web/api/CallButton.tsx";
import { TextDialog } from "#web/api/form-call.tsx";
import { DialogButton } from "#web/ui/DialogButton.tsx";
import { formatDate } from "#web/ui/format-dates-and-counts.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Stars } from "#web/ui/Stars.tsx";

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
  return (
    <article>
      <p dir="auto" className="user-text">
        {comment}
      </p>
      <p className="text-muted text-sm">
        <bdi>{reporter.name}</bdi>, {formatDate(reportedAt)}
      </p>
      <blockquote className="reply">
        <p className="text-muted text-sm">
          <bdi>{author.name}</bdi> about <bdi>{subject.name}</bdi>
        </p>
        <Stars stars={review.stars} />
        <p dir="auto" className="user-text whitespace-pre-line">
          {review.text}
        </p>
      </blockquote>
      <div className="flex flex-wrap gap-2">
        <DialogButton
          look="danger"
          dialog={(onClose) => (
            <TextDialog
              title="Remove this review"
              label="Reason"
              hint="Nobody will be able to read the review anymore, and it won't count. The audit log keeps the reason."
              call={removeReview}
              field="reason"
              request={(reason) => ({ params: { id: review._id }, body: { reason } })}
              onClose={onClose}
            />
          )}
        >
          Remove review
        </DialogButton>
        <CallButton call={closeReviewReport} request={{ params: { id: _id } }}>
          Close report
        </CallButton>
      </div>
    </article>
  );
}
