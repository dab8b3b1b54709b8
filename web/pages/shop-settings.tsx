import { lazy, Suspense } from "react";
import { requireRole } from "#web/auth/guard.ts";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/shop-settings.ts";

export const meta = pageMeta("Shop");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireRole(request, "owner");
}

export function HydrateFallback() {
  return <Spinner />;
}

// Loaded lazily, because the route manifest, which every page loads, lists each route's imports.
const ShopSettings = lazy(() => import("#web/features/shop-settings/ShopSettings.tsx"));

export default function ShopSettingsPage() {
  return (
    <>
      <PageHeading title="Shop">
        <p className="text-muted">Make the shop yours. Nothing changes until you publish it.</p>
      </PageHeading>
      <Suspense fallback={<Spinner />}>
        <ShopSettings />
      </Suspense>
    </>
  );
}
