import { auditFilter } from "#contract/audit.ts";
import { requireRole } from "#web/auth/guard.ts";
import { AuditLogFilter, AuditLogTable } from "#web/features/audit-log/AuditLog.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/audit-log.ts";

export const meta = pageMeta("Audit Log");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireRole(request, "owner");
  const params = Object.fromEntries(new URL(request.url).searchParams);
  return auditFilter.safeParse(params).data ?? {};
}

export default function AuditLog({ loaderData: filter }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="Audit Log" />
      <AuditLogFilter key={JSON.stringify(filter)} filter={filter} />
      <AuditLogTable filter={filter} />
    </>
  );
}
