import { roleLoader } from "#web/auth/guard.ts";
import { HealthReport } from "#web/features/health/HealthReport.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";

export const meta = pageMeta("Health");

export const clientLoader = roleLoader("owner");

export default function HealthPage() {
  return (
    <>
      <PageHeading title="Health" />
      <HealthReport />
    </>
  );
}
