import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";
import { type Handover, readHandover } from "#contract/handover.ts";
import { isOpenBooking } from "#contract/life-cycle.ts";
import { queryOf } from "#web/api/api.ts";
import { useLiveChanges } from "#web/api/live-changes.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, throwIfNotFound } from "#web/auth/guard.ts";
import { HandoverCode, HandoverForm } from "#web/features/handover/HandoverCode.tsx";
import { HandoverOutcome } from "#web/features/handover/HandoverOutcome.tsx";
import { MeetingPlan } from "#web/features/meetings/MeetingPlan.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/handover.ts";

export const meta = pageMeta("Handover");

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireMember(request);
  await browserQueries.query(queryOf(readHandover, { params })).catch(throwIfNotFound);
}

/** The buyer shows a code, and the seller enters it (decisions/handover). Also used for returns. */
export default function HandoverPage({ params }: Route.ComponentProps) {
  const refetchInterval = useLiveChanges();
  const query = queryOf(readHandover, { params });
  const deal = useQuery({ ...query, refetchOnMount: false, refetchInterval });
  const above =
    deal.data?.role === "seller"
      ? { name: "My Products", to: paths.myProducts() }
      : { name: "My Orders", to: paths.myOrders() };
  const title = deal.data?.refund ? "Return" : "Handover";
  return (
    <>
      <Breadcrumbs above={[above]} here={title} />
      <PageHeading title={title} />
      <QueryState query={deal} skeleton={<Spinner />}>
        {(found) => <HandoverSide deal={found} />}
      </QueryState>
    </>
  );
}

function HandoverSide({ deal }: { deal: Handover }) {
  const receives = (deal.role === "buyer") === (deal.refund === null);
  const isOpen = isOpenBooking(deal.state);
  const scanned = useLocation().hash.slice(1);
  // Chosen once, so that no part moves while it is used. Links to the code have a hash.
  const [meetsFirst] = useState(
    () => deal.state === "paid" && deal.meeting?.state !== "agreed" && scanned === "",
  );
  return (
    <div className="flex flex-col gap-8">
      <p className="-mt-6 text-muted">
        <bdi>{deal.product.product_name}</bdi> {receives ? "from" : "to"} <bdi>{deal.other}</bdi>
      </p>
      {isOpen && meetsFirst && <MeetingPlan deal={deal} />}
      {deal.state === "paid" || deal.refund === "waits" ? (
        <div className="flex max-w-xl flex-col gap-4 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:p-8">
          {deal.role === "buyer" ? (
            <HandoverCode deal={deal} />
          ) : (
            <HandoverForm deal={deal} scanned={scanned} />
          )}
        </div>
      ) : (
        <HandoverOutcome deal={deal} />
      )}
      {isOpen && !meetsFirst && <MeetingPlan deal={deal} />}
    </div>
  );
}
