import type { ComponentProps } from "react";
import type { Review } from "#contract/reviews.ts";
import { useSession } from "#web/auth/session.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { formatDate } from "#web/ui/format-dates-and-counts.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Stars } from "#web/ui/Stars.tsx";
import { ReportReview } from "./ReportReview.tsx";

type SellerReviewsProps = {
  reviews: ComponentProps<typeof QueryState<Review[]>>["query"];
};

export function SellerReviews({ reviews }: SellerReviewsProps) {
  return (
    <QueryState
      query={reviews}
      skeleton={<div className="h-40" />}
      empty={<p className="text-muted">No reviews yet.</p>}
    >
      {(all) => (
        <ul className="divide-y divide-line rounded-box border border-line">
          {all.map((review) => (
            <li key={review._id} className="p-4">
              <PublishedReview review={review} />
            </li>
          ))}
        </ul>
      )}
    </QueryState>
  );
}

function PublishedReview({ review }: { review: Review }) {
  const { author, product_name, stars, text, publishedAt, reply } = review;
  const session = useSession();
  return (
    <article>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Stars stars={stars} />
        {session && <ReportReview id={review._id} />}
      </div>
      <p dir="auto" className="user-text my-2 whitespace-pre-line">
        {text}
      </p>
      <p className="text-muted text-sm">
        <bdi>{author}</bdi>, <time dateTime={publishedAt}>{formatDate(publishedAt)}</time>, about{" "}
        <ProductName name={product_name} />
      </p>
      {reply !== null && (
        <div className="reply">
          <p className="text-muted text-sm">The seller's reply</p>
          <p dir="auto" className="user-text whitespace-pre-line">
            {reply}
          </p>
        </div>
      )}
    </article>
  );
}
