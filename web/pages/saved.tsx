import { listSavedProducts } from "#contract/saved-products.ts";
import { listSavedSearches } from "#contract/saved-searches.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember } from "#web/auth/guard.ts";
import { SavedProductsTable } from "#web/features/saved/SavedProductsTable.tsx";
import { SavedSearchesTable } from "#web/features/saved/SavedSearchesTable.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/saved.ts";

export const meta = pageMeta("Saved");

/** Fetches both lists before the page shows, so that nothing shifts. The page shows any errors. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireMember(request);
  await Promise.all([
    browserQueries.prefetchInfiniteQuery(listOf(listSavedProducts, {})),
    browserQueries.prefetchQuery(queryOf(listSavedSearches, {})),
  ]);
}

export default function Saved() {
  return (
    <>
      <PageHeading title="Saved" />
      <section aria-labelledby="saved-laptops" className="mb-8">
        <h2 id="saved-laptops" className="mb-3 text-heading">
          Laptops
        </h2>
        <SavedProductsTable />
      </section>
      <section aria-labelledby="saved-searches">
        <h2 id="saved-searches" className="mb-3 text-heading">
          Searches
        </h2>
        <SavedSearchesTable />
      </section>
    </>
  );
}
