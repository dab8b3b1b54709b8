import { lazy, Suspense } from "react";
import { data as respond } from "react-router";
import { categoriesPath } from "#web/admin-paths.ts";
import { requireRole } from "#web/auth/guard.ts";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { metaTags } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { TextLink } from "#web/ui/Link.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import type { Route } from "./+types/shop-settings.ts";

const parts = {
  settings: {
    title: "Shop",
    about: (
      <>
        Make the shop yours. Nothing changes until you publish it. The categories have{" "}
        <TextLink to={categoriesPath}>a page of their own</TextLink>.
      </>
    ),
  },
  categories: { title: "Categories", about: "Every change shows on all pages within a second." },
  "first-steps": {
    title: "First Steps",
    about: "What your shop needs before you invite people.",
  },
};

export const meta = ({ loaderData: part, ...route }: Route.MetaArgs) =>
  metaTags(parts[part ?? "settings"], route);

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireRole(request, "owner");
  const { part = "settings" } = params;
  if (!Object.hasOwn(parts, part)) throw respond(null, { status: 404 });
  return part as keyof typeof parts;
}

// Loaded lazily, because the route manifest, which every page loads, lists each route's imports.
const ShopSettings = lazy(() => import("#web/features/shop-settings/ShopSettings.tsx"));

/** Three of the owner's pages share a route to keep the route manifest short. */
export default function ShopSettingsPage({ loaderData: part }: Route.ComponentProps) {
  const { title, about } = parts[part];
  return (
    <>
      {part === "first-steps" && (
        <Breadcrumbs above={[{ name: parts.settings.title, to: paths.shop() }]} here={title} />
      )}
      <PageHeading title={title}>
        <p className="text-muted">{about}</p>
      </PageHeading>
      <Suspense fallback={<Spinner />}>
        <ShopSettings part={part} />
      </Suspense>
    </>
  );
}
