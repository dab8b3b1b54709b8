import { roleLoader } from "#web/auth/guard.ts";
import { NeedsYouTable } from "#web/features/needs-you/NeedsYouTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";

export const meta = pageMeta("Needs You");

export const clientLoader = roleLoader("admin");

export default function NeedsYou() {
  return (
    <>
      <PageHeading title="Needs You">
        <p className="text-muted">Money and deals that are waiting for your decision.</p>
      </PageHeading>
      <NeedsYouTable />
    </>
  );
}
