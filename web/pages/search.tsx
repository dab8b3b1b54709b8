import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, type ShouldRevalidateFunctionArgs, useSearchParams } from "react-router";
import { listCategories } from "#contract/categories.ts";
import { type SearchAnswer, search } from "#contract/search.ts";
import { queryOf } from "#web/api/api.ts";
import { digestOf } from "#web/api/digest.ts";
import { queryForMarkup } from "#web/api/prefetch.ts";
import { browserQueries, freshFromLoader } from "#web/api/query-client.ts";
import { ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
import { Facets } from "#web/features/search/Facets.tsx";
import { SearchSummary } from "#web/features/search/SearchSummary.tsx";
import { requestOf, searchOf, searchWith } from "#web/features/search/search-address.ts";
import { metaTags } from "#web/meta.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { nextAttempt, ServerRendered, useHydratingMark } from "#web/ui/ServerRendered.tsx";
import type { Route } from "./+types/search.ts";
import { ProductListing } from "./product-listing.tsx";
import "#web/features/search/search.css";

/** Its HTML depends on the query (server/pages/pages.ts). */
export const handle = { readsQuery: true };

export const meta = (route: Route.MetaArgs) => [
  ...metaTags(
    {
      title: titleOf(new URLSearchParams(route.location.search)),
      description: "Search used laptops by model, processor, memory, price, battery and place.",
    },
    route,
  ),
  // Each search is another page with the same laptops.
  { name: "robots", content: "noindex, follow" },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = requestOf(new URL(request.url).searchParams);
  const queries = await queryForMarkup(context, (known, api) =>
    Promise.all([
      known.prefetchQuery(queryOf(listCategories, {}, api)),
      known.prefetchQuery(queryOf(search, asked, api)),
    ]),
  );
  return { digest: digestOfAnswer(queries, asked) };
}

type Asked = ReturnType<typeof requestOf>;

function digestOfAnswer(queries: QueryClient, asked: Asked): string {
  const { data, error } = queries.getQueryState(queryOf(search, asked).queryKey) ?? {};
  const categories = queries.getQueryData(queryOf(listCategories, {}).queryKey);
  return digestOf([categories ?? null, data ?? null, error?.message ?? null]);
}

/** The results are fetched before the page shows, so that Back finds them where they were. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await fetchAnswer(requestOf(new URL(request.url).searchParams));
}

async function fetchAnswer(asked: Asked): Promise<void> {
  await Promise.all([
    browserQueries.prefetchQuery({ ...queryOf(listCategories, {}), staleTime: "static" }),
    browserQueries.prefetchQuery({ ...queryOf(search, asked), staleTime: 60_000 }),
  ]);
}

let fetched: Promise<string> | undefined;

/** For hydration; of the address that the document was opened with. */
function fetchForHydration(): Promise<string> {
  fetched ??= fetchUntilRead(requestOf(new URLSearchParams(location.search)));
  return fetched;
}

async function fetchUntilRead(asked: Asked): Promise<string> {
  await fetchAnswer(asked);
  const state = browserQueries.getQueryState(queryOf(search, asked).queryKey);
  if (state?.data !== undefined || isRefused(state?.error))
    return digestOfAnswer(browserQueries, asked);
  await nextAttempt();
  return await fetchUntilRead(asked);
}

function isRefused(error: unknown): boolean {
  return error instanceof Object && "status" in error && error.status === 400;
}

/** Opening a dialog changes the query, too. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  const [from, to] = [currentUrl, nextUrl].map((url) => JSON.stringify(searchOf(url.searchParams)));
  return from !== to || currentUrl.pathname !== nextUrl.pathname;
}

function titleOf(query: URLSearchParams): string {
  const q = query.get("q")?.trim();
  return q ? `Search: ${q}` : "Search laptops";
}

export default function Search({ loaderData }: Route.ComponentProps) {
  return (
    <ServerRendered digest={loaderData?.digest} fetchAgain={fetchForHydration}>
      <Results />
    </ServerRendered>
  );
}

function Results() {
  const [query] = useSearchParams();
  const { data: categories = [] } = useQuery(queryOf(listCategories, {}));
  const answer = useQuery({ ...queryOf(search, requestOf(query)), ...freshFromLoader });
  const nameOf = (id: string) =>
    categories.find(({ _id }) => _id === id)?.product_category ?? "Other";
  return (
    <div {...useHydratingMark()}>
      <PageHeading title={titleOf(query)} />
      <QueryState query={answer} skeleton={<ProductGridSkeleton cards={6} />}>
        {(found) => (
          <div className="admin-search">
            <Facets answer={found} search={searchOf(query)} nameOf={nameOf} />
            <div>
              <SearchSummary answer={found} search={searchOf(query)} />
              <Found answer={found} search={searchOf(query)} />
            </div>
          </div>
        )}
      </QueryState>
    </div>
  );
}

type FoundProps = { answer: SearchAnswer; search: Record<string, string> };

function Found({ answer, search: asked }: FoundProps) {
  if (answer.items.length === 0) return <NothingFound />;
  return (
    <>
      <h2 className="sr-only">Results</h2>
      <ProductListing products={answer.items} aboveFold />
      <nav aria-label="Pages" className="mt-8 flex justify-center gap-3">
        {asked.cursor !== undefined && (
          <Link to={searchWith(asked, {})} className={buttonClass({ look: "plain" })}>
            First page
          </Link>
        )}
        {answer.next !== null && (
          <Link
            to={searchWith(asked, { cursor: answer.next })}
            className={buttonClass({ look: "plain" })}
          >
            Next page
          </Link>
        )}
      </nav>
    </>
  );
}

function NothingFound() {
  return (
    <Notice title="Nothing found" drawing={<EmptyIllustration />}>
      <p>Try fewer words, or a brand such as Lenovo. You can also search by processor or memory.</p>
      <Link to={searchWith({}, {})} className={buttonClass()}>
        All laptops
      </Link>
    </Notice>
  );
}
