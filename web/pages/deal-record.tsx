import { useQuery } from "@tanstack/react-query";
import { readDealRecord } from "#contract/deal-records.ts";
import { formatPrice } from "#contract/price.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireRole } from "#web/auth/guard.ts";
import { StaffOnly, useMayAct } from "#web/auth/StaffOnly.tsx";
import { DealRecordView } from "#web/features/deal-record/DealRecordView.tsx";
import { EvidenceForm } from "#web/features/deal-record/EvidenceForm.tsx";
import { Leftover } from "#web/features/deal-record/Leftover.tsx";
import { DealMessages } from "#web/features/messages/AdminMessages.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { TextLink } from "#web/ui/Link.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/deal-record.ts";

export const meta = pageMeta("Deal");

export async function clientLoader({ request, params: { id } }: Route.ClientLoaderArgs) {
  await requireRole(request, "deals");
  await browserQueries.prefetchQuery(queryOf(readDealRecord, { params: { id } }));
}

export default function Deal({ params: { id } }: Route.ComponentProps) {
  const list = useMayAct("finance")
    ? { name: "Payments", to: paths.payments() }
    : { name: "Complaints", to: paths.complaints() };
  const deal = useQuery(queryOf(readDealRecord, { params: { id } }));
  return (
    <>
      <Breadcrumbs above={[list]} here="Deal" />
      <PageHeading title="Deal" />
      <QueryState query={deal} skeleton={<Spinner />}>
        {(found) => (
          <div className="flex flex-col gap-6">
            {found.hasComplaint && (
              <p>
                <TextLink to={paths.complaint(id)}>The buyer's complaint</TextLink>
              </p>
            )}
            {found.disputes.map((dispute) => (
              <EvidenceForm key={dispute._id} deal={found} dispute={dispute} />
            ))}
            {found.leftover > 0 && (
              <StaffOnly
                access="finance"
                to={`send the ${formatPrice(found.leftover)} of this deal`}
              >
                <Leftover deal={found} />
              </StaffOnly>
            )}
            <DealRecordView deal={found} messages={<DealMessages deal={found} />} />
          </div>
        )}
      </QueryState>
    </>
  );
}
