import { useLocation } from "react-router";
import { isBuyer } from "#contract/roles.ts";
import { requireMember } from "#web/auth/guard.ts";
import { HandoverCode } from "#web/features/handover/HandoverCode.tsx";
import { HandoverForm } from "#web/features/handover/HandoverForm.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/handover.ts";

export const meta = pageMeta("Handover");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await requireMember(request);
}

export function HydrateFallback() {
  return <Spinner />;
}

/** The buyer shows a code here, the seller enters it (decision 0069). */
export default function Handover({ loaderData: session, params: { id } }: Route.ComponentProps) {
  const { hash } = useLocation();
  const above = isBuyer(session)
    ? { name: "My Orders", to: paths.myOrders() }
    : { name: "My Products", to: paths.myProducts() };
  return (
    <>
      <Breadcrumbs above={[above]} here="Handover" />
      <PageHeading title="Handover" />
      <div className="flex max-w-xl flex-col gap-4 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:p-8">
        {isBuyer(session) ? (
          <HandoverCode bookingId={id} />
        ) : (
          <HandoverForm bookingId={id} scanned={hash.slice(1)} />
        )}
      </div>
    </>
  );
}
