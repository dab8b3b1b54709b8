import { useSearchParams } from "react-router";
import { requireMember } from "#web/auth/guard.ts";
import { ReviewEmails } from "#web/features/reviews/ReviewEmails.tsx";
import { ReviewedDeals } from "#web/features/reviews/ReviewedDeals.tsx";
import { ReviewReports } from "#web/features/reviews/ReviewReports.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/reviews.ts";

export const meta = pageMeta("Reviews");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await requireMember(request);
}

export function HydrateFallback() {
  return <Spinner />;
}

/** A member's reviews; the reported ones for admins. `deal` comes first, which an email links to. */
export default function Reviews({ loaderData: { isAdmin } }: Route.ComponentProps) {
  const [query] = useSearchParams();
  if (isAdmin)
    return (
      <>
        <PageHeading title="Reported reviews" />
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
