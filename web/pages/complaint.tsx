import { findBookingToPay } from "#contract/bookings.ts";
import { CallError } from "#contract/client.ts";
import { readComplaint } from "#contract/complaints.ts";
import { isBuyer } from "#contract/roles.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, requireRole, throwIfNotFound } from "#web/auth/guard.ts";
import { pageMeta } from "#web/page-meta.ts";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/complaint.ts";
import { BoughtDeal, KnownComplaint } from "./complaint-content.tsx";

export const meta = pageMeta("Something is wrong");

/**
 * Reads a buyer's order first, because the order shows whether a complaint exists or is possible.
 */
export async function clientLoader({ request, params: { id } }: Route.ClientLoaderArgs) {
  const session = await requireMember(request);
  if (session.isAdmin) await requireRole(request, "deals");
  const order = queryOf(findBookingToPay, { params: { id } });
  const bought = isBuyer(session) ? await browserQueries.query(order).catch(ignoreMissing) : null;
  if (bought === null || bought?.hasComplaint)
    await browserQueries.query(queryOf(readComplaint, { params: { id } })).catch(throwIfNotFound);
  return { isBuyer: bought !== null };
}

/**
 * Ignores a missing order, because a member with both roles may be the seller. The page shows other
 * errors.
 */
function ignoreMissing(error: unknown): null | undefined {
  return error instanceof CallError && error.status === 404 ? null : undefined;
}

export function HydrateFallback() {
  return <Spinner />;
}

/**
 * A complaint about a laptop: the buyer describes it, the seller answers, and an admin decides
 * (decisions/complaints).
 */
export default function ComplaintPage({ loaderData, params: { id } }: Route.ComponentProps) {
  return loaderData.isBuyer ? <BoughtDeal bookingId={id} /> : <KnownComplaint bookingId={id} />;
}
