import { requireRole } from "#web/auth/guard.ts";
import { HealthReport } from "#web/features/health/HealthReport.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/health.ts";

export const meta = pageMeta("Health");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await requireRole(request, "owner");
}

export { Spinner as HydrateFallback } from "#web/ui/Spinner.tsx";

export default function HealthPage() {
  return (
    <>
      <PageHeading title="Health" />
      <HealthReport />
    </>
  );
}
