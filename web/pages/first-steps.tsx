import { lazy, Suspense } from "react";
import { requireRole } from "#web/auth/guard.ts";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/first-steps.ts";

export const meta = pageMeta("First steps");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireRole(request, "owner");
}

export function HydrateFallback() {
  return <Spinner />;
}

// Loaded apart, because the list of pages, which every page loads, names what a page imports.
const FirstSteps = lazy(() => import("#web/features/shop-settings/FirstSteps.tsx"));

export default function FirstStepsPage() {
  return (
    <>
      <PageHeading title="First steps">
        <p className="text-muted">What your shop needs before you invite people.</p>
      </PageHeading>
      <Suspense fallback={<Spinner />}>
        <FirstSteps />
      </Suspense>
    </>
  );
}
