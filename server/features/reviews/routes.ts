import * as calls from "#contract/reviews.ts";
import { transact } from "../../db/database.ts";
import { setEmails, wantsEmails } from "../../email/opt-outs.ts";
import { answer, listed, ok, type Router } from "../../http/route-registration.ts";
import { requireSeller } from "../sellers/sellers.ts";
import * as reports from "./review-reports.ts";
import { listReviewedDeals, listSellerReviews } from "./shown-reviews.ts";
import { replyToReview, writeReview } from "./write-review.ts";

export function reviewRoutes(router: Router): void {
  const { route, deps } = router;
  route(calls.listReviewedDeals, async ({ query, caller, tx }) =>
    listed(await listReviewedDeals(tx, caller, query)),
  );

  route(calls.writeReview, async ({ body, caller }) =>
    answer.inserted(writeReview(deps, caller, body)),
  );

  route(calls.replyToReview, async ({ params, body, caller }) =>
    answer.modified(replyToReview(deps, caller, { ...params, ...body })),
  );

  route(calls.readReviewEmails, async ({ caller }) =>
    ok({ emails: await wantsEmails(deps.db, "reviews", caller.id) }),
  );

  route(calls.setReviewEmails, async ({ body, caller }) => {
    const reviews = { topic: "reviews", memberId: caller.id } as const;
    const change = transact(deps.db, "setReviewEmails", (tx) =>
      setEmails(tx, reviews, body.emails),
    );
    return answer.modified(change);
  });

  route(calls.listSellerReviews, async ({ params, query, tx }) => {
    await requireSeller(tx, params.id);
    return listed(await listSellerReviews(tx, params.id, query));
  });
  moderationRoutes(router);
}

function moderationRoutes({ route, deps }: Router): void {
  route(calls.reportReview, async ({ params, body, caller }) =>
    answer.inserted(reports.reportReview(deps, caller, { ...params, ...body })),
  );

  route(calls.listReviewReports, async ({ query, tx }) =>
    listed(await reports.listReviewReports(tx, query)),
  );

  route(calls.closeReviewReport, async ({ params, caller }) =>
    answer.deleted(reports.closeReviewReport(deps, caller, params.id)),
  );

  route(calls.removeReview, async ({ params, body, caller }) =>
    answer.modified(reports.removeReview(deps, caller, { ...params, ...body })),
  );
}
