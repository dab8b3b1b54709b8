import { useSearchParams } from "react-router";
import { listReviewedDeals } from "#contract/reviews.ts";
import { listOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, requireRole } from "#web/auth/guard.ts";
import { ReviewEmails, ReviewedDeals } from "#web/features/reviews/ReviewedDeals.tsx";
import { ReviewReports } from "#web/features/reviews/ReviewReports.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/reviews.ts";

export const meta = ({ loaderData, ...route }: Route.MetaArgs) =>
  pageMeta(loaderData?.isAdmin ? "Reported Reviews" : "Reviews")(route);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const session = await requireMember(request);
  if (session.isAdmin) return await requireRole(request, "moderation");
  await browserQueries.prefetchInfiniteQuery(listOf(listReviewedDeals, {}));
  return session;
}

/** If the URL names a `deal`, as in emailed links, that deal comes first. */
export default function Reviews({ loaderData: { isAdmin } }: Route.ComponentProps) {
  const [query] = useSearchParams();
  if (isAdmin)
    return (
      <>
        <Breadcrumbs
          above={[{ name: "Reported Items", to: paths.reportedItems() }]}
          here="Reported Reviews"
        />
        <PageHeading title="Reported Reviews" />
        <ReviewReports />
      </>
    );
  return (
    <>
      <PageHeading title="Reviews" />
      <ReviewedDeals first={query.get("deal")} />
      <ReviewEmails />
    </>
  );
}
