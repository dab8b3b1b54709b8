import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { CallError } from "#contract/client.ts";
import { type Complaint, readComplaint } from "#contract/complaints.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember } from "#web/auth/guard.ts";
import { AdminDecision } from "#web/features/complaints/AdminDecision.tsx";
import { BuyerChoice } from "#web/features/complaints/BuyerChoice.tsx";
import { ComplaintDetails } from "#web/features/complaints/ComplaintDetails.tsx";
import { ComplaintForm } from "#web/features/complaints/ComplaintForm.tsx";
import { SellerAnswer } from "#web/features/complaints/SellerAnswer.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/complaint.ts";

const ComplaintRecord = lazy(() => import("./ComplaintRecord.tsx"));

export const meta = pageMeta("Something is wrong");

export async function clientLoader({ request, params: { id } }: Route.ClientLoaderArgs) {
  await requireMember(request);
  await browserQueries.prefetchQuery({
    ...queryOf(readComplaint, { params: { id } }),
    retry: false,
  });
}

export function HydrateFallback() {
  return <Spinner />;
}

/** The page that leads here, by the side that reads it. Only buyers see a deal without a complaint. */
const above: Record<Complaint["role"], { name: string; to: string }> = {
  buyer: { name: "My Orders", to: paths.myOrders() },
  seller: { name: "My Products", to: paths.myProducts() },
  admin: { name: "Complaints", to: "/dashboard/complaints" },
};

/** A complaint about a laptop: the buyer describes it, the seller answers, an admin decides (decision 0073). */
export default function ComplaintPage({ params: { id } }: Route.ComponentProps) {
  const complaint = useQuery({
    ...queryOf(readComplaint, { params: { id } }),
    retry: (count, error) => !isMissing(error) && count < 2,
  });
  return (
    <>
      <Breadcrumbs above={[above[complaint.data?.role ?? "buyer"]]} here="Something is wrong" />
      <PageHeading title="Something is wrong" />
      <div className="flex max-w-xl flex-col gap-6 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:p-8">
        {isMissing(complaint.error) ? (
          <ComplaintForm bookingId={id} />
        ) : (
          <QueryState query={complaint} skeleton={<Spinner />}>
            {(found) => (
              <>
                <ComplaintDetails complaint={found} />
                {found.decision === null && <NextStep complaint={found} />}
              </>
            )}
          </QueryState>
        )}
      </div>
      {complaint.data?.role === "admin" && (
        <Suspense fallback={<Spinner />}>
          <ComplaintRecord bookingId={id} />
        </Suspense>
      )}
    </>
  );
}

function NextStep({ complaint }: { complaint: Complaint }) {
  const { role, answer } = complaint;
  if (role === "admin") return <AdminDecision complaint={complaint} />;
  if (role === "buyer") return <BuyerChoice complaint={complaint} />;
  return answer?.answer === "disagree" ? null : <SellerAnswer complaint={complaint} />;
}

function isMissing(error: unknown): boolean {
  return error instanceof CallError && error.status === 404;
}
