import { lazy, Suspense } from "react";
import { Link, useLocation } from "react-router";
import { requireRole } from "#web/auth/guard.ts";
import { type MetaArgs, metaTags } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/shop-settings.ts";

export const meta = (route: MetaArgs) => metaTags(pageAt(route.location.pathname), route);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireRole(request, "owner");
}

export function HydrateFallback() {
  return <Spinner />;
}

// Loaded lazily, because the route manifest, which every page loads, lists each route's imports.
const ShopSettings = lazy(() => import("#web/features/shop-settings/ShopSettings.tsx"));

const settings = {
  title: "Shop",
  part: "settings",
  about: (
    <>
      Make the shop yours. Nothing changes until you publish it. The categories have{" "}
      <Link to={paths.categories()} className="link">
        a page of their own
      </Link>
      .
    </>
  ),
} as const;
const categories = {
  title: "Categories",
  part: "categories",
  about: "Every change shows on all pages within a second.",
} as const;

function pageAt(pathname: string) {
  return pathname.startsWith(paths.categories()) ? categories : settings;
}

/** The page of the settings, and that of the categories. */
export default function ShopSettingsPage() {
  const { title, part, about } = pageAt(useLocation().pathname);
  return (
    <>
      <PageHeading title={title}>
        <p className="text-muted">{about}</p>
      </PageHeading>
      <Suspense fallback={<Spinner />}>
        <ShopSettings part={part} />
      </Suspense>
    </>
  );
}
