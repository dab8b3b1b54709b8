import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router";
import { requireMember, requireRole } from "#web/auth/guard.ts";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/staff.ts";

export const meta = pageMeta("Staff");

/** Emailed invitations open this page with their token, for members who aren't on the staff yet. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const isInvited = new URL(request.url).searchParams.has("token");
  await (isInvited ? requireMember(request) : requireRole(request, "owner"));
}

// Loaded lazily, because the route manifest, which every page loads, lists each route's imports.
const Staff = lazy(() => import("#web/features/staff/Staff.tsx"));
const JoinStaff = lazy(() => import("#web/features/staff/JoinStaff.tsx"));

export default function StaffPage() {
  const token = useSearchParams()[0].get("token");
  return (
    <>
      <PageHeading title={token === null ? "Staff" : "Join the staff"} />
      <Suspense fallback={<Spinner />}>
        {token === null ? <Staff /> : <JoinStaff token={token} />}
      </Suspense>
    </>
  );
}
