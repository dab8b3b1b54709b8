import * as calls from "#contract/reviews.ts";
import { transact } from "../../db/database.ts";
import { setEmails, wantsEmails } from "../../email/opt-outs.ts";
import { created, listed, ok, type Router } from "../../http/route-registration.ts";
import { requireSeller } from "../sellers/sellers.ts";
import * as reports from "./review-reports.ts";
import { listReviewedDeals, listSellerReviews } from "./shown-reviews.ts";
import { replyToReview, writeReview } from "./write-review.ts";

const modified = ok({ acknowledged: true as const, modifiedCount: 1 as const });
const inserted = (insertedId: string) => created({ acknowledged: true as const, insertedId });

export function reviewRoutes(router: Router): void {
  const { route, deps } = router;
  route(calls.listReviewedDeals, async ({ query, caller, tx }) =>
    listed(await listReviewedDeals(tx, caller, query)),
  );

  route(calls.writeReview, async ({ body, caller }) =>
    inserted(await writeReview(deps, caller, body)),
  );

  route(calls.replyToReview, async ({ params, body, caller }) => {
    await replyToReview(deps, caller, { ...params, ...body });
    return modified;
  });

  route(calls.readReviewEmails, async ({ caller }) =>
    ok({ emails: await wantsEmails(deps.db, "reviews", caller.id) }),
  );

  route(calls.setReviewEmails, async ({ body, caller }) => {
    const reviews = { topic: "reviews", memberId: caller.id } as const;
    await transact(deps.db, "setReviewEmails", (tx) => setEmails(tx, reviews, body.emails));
    return modified;
  });

  route(calls.listSellerReviews, async ({ params, query, tx }) => {
    await requireSeller(tx, params.id);
    return listed(await listSellerReviews(tx, params.id, query));
  });
  moderationRoutes(router);
}

function moderationRoutes({ route, deps }: Router): void {
  route(calls.reportReview, async ({ params, body, caller }) =>
    inserted(await reports.reportReview(deps, caller, { ...params, ...body })),
  );

  route(calls.listReviewReports, async ({ query, tx }) =>
    listed(await reports.listReviewReports(tx, query)),
  );

  route(calls.closeReviewReport, async ({ params, caller }) => {
    await reports.closeReviewReport(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });

  route(calls.removeReview, async ({ params, body, caller }) => {
    await reports.removeReview(deps, caller, { ...params, ...body });
    return modified;
  });
}
