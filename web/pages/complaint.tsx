import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { findBookingToPay } from "#contract/bookings.ts";
import { CallError } from "#contract/client.ts";
import { type Complaint, readComplaint } from "#contract/complaints.ts";
import { isBuyer } from "#contract/roles.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, requireRole, throwIfNotFound } from "#web/auth/guard.ts";
import { ComplaintDetails } from "#web/features/complaints/ComplaintDetails.tsx";
import { NewComplaint } from "#web/features/complaints/NewComplaint.tsx";
import { isOpen, NextStep } from "#web/features/complaints/NextStep.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/complaint.ts";

export const meta = pageMeta("Something is wrong");

/** Reads a buyer's order first, because it shows whether a complaint exists or is possible. */
export async function clientLoader({ request, params: { id } }: Route.ClientLoaderArgs) {
  const session = await requireMember(request);
  if (session.isAdmin) await requireRole(request, "deals");
  const order = queryOf(findBookingToPay, { params: { id } });
  const bought = isBuyer(session) ? await browserQueries.query(order).catch(ignoreMissing) : null;
  if (bought === null || bought?.hasComplaint)
    await browserQueries.query(queryOf(readComplaint, { params: { id } })).catch(throwIfNotFound);
  return { isBuyer: bought !== null };
}

/** Null if the member has no such order, for example as the seller. The page shows other errors. */
function ignoreMissing(error: unknown): null | undefined {
  return error instanceof CallError && error.status === 404 ? null : undefined;
}

export default function ComplaintPage({ loaderData, params: { id } }: Route.ComponentProps) {
  return loaderData.isBuyer ? <BoughtDeal bookingId={id} /> : <KnownComplaint bookingId={id} />;
}

const ComplaintRecord = lazy(() => import("./ComplaintRecord.tsx"));
const BookedPhotos = lazy(async () => ({
  default: (await import("./ComplaintRecord.tsx")).BookedPhotos,
}));

const above: Record<Complaint["role"], { name: string; to: string }> = {
  buyer: { name: "My Orders", to: paths.myOrders() },
  seller: { name: "My Products", to: paths.myProducts() },
  admin: { name: "Complaints", to: paths.complaints() },
};

/** Shows the form until the order has a complaint, so a failed request doesn't remove the text. */
function BoughtDeal({ bookingId }: { bookingId: string }) {
  const order = useQuery(queryOf(findBookingToPay, { params: { id: bookingId } }));
  if (order.data?.hasComplaint) return <KnownComplaint bookingId={bookingId} />;
  return (
    <Frame reader="buyer">
      <QueryState query={order} skeleton={<Spinner />}>
        {(found) => <NewComplaint order={found} />}
      </QueryState>
    </Frame>
  );
}

function KnownComplaint({ bookingId }: { bookingId: string }) {
  const complaint = useQuery({
    ...queryOf(readComplaint, { params: { id: bookingId } }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isOpen(data) && 30_000,
  });
  const role = complaint.data?.role ?? "buyer";
  return (
    <>
      <Frame reader={role}>
        <QueryState query={complaint} skeleton={<Spinner />}>
          {(found) => (
            <>
              <ComplaintDetails
                complaint={found}
                listingPhotos={
                  role === "admin" && (
                    <Suspense>
                      <BookedPhotos bookingId={bookingId} />
                    </Suspense>
                  )
                }
              />
              {isOpen(found) && <NextStep complaint={found} />}
            </>
          )}
        </QueryState>
      </Frame>
      {role === "admin" && (
        <Suspense fallback={<Spinner />}>
          <ComplaintRecord bookingId={bookingId} />
        </Suspense>
      )}
    </>
  );
}

function Frame({ reader, children }: { reader: keyof typeof above; children: ReactNode }) {
  const columns = reader === "admin" ? "grid sm:grid-cols-2" : "flex max-w-xl flex-col";
  return (
    <>
      <Breadcrumbs above={[above[reader]]} here="Something is wrong" />
      <PageHeading title="Something is wrong" />
      <div
        className={`gap-6 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:p-8 ${columns}`}
      >
        {children}
      </div>
    </>
  );
}
