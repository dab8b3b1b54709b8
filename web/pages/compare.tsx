import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, type ShouldRevalidateFunctionArgs, useSearchParams } from "react-router";
import { readProduct } from "#contract/laptops.ts";
import { queryOf } from "#web/api/api.ts";
import { digestOf } from "#web/api/digest.ts";
import { queryForMarkup } from "#web/api/prefetch.ts";
import { browserQueries, freshFromLoader } from "#web/api/query-client.ts";
import { CompareTable } from "#web/features/compare/CompareTable.tsx";
import { comparedIds, rememberCompared } from "#web/features/compare/compared-ids.ts";
import { factLabels, factRows } from "#web/features/products/fact-rows.ts";
import { metaTags, notIndexed } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { nextAttempt, ServerRendered, useHydratingMark } from "#web/ui/ServerRendered.tsx";
import type { Route } from "./+types/compare.ts";

/** Its HTML depends on the query (server/pages/pages.ts). */
export const handle = { readsQuery: true };

const description = "Used laptops side by side: prices, condition, memory, battery and screen.";

export const meta = (route: Route.MetaArgs) => [
  ...metaTags({ title: "Compare laptops", description, isVariant: true }, route),
  // Each combination of laptops is another page.
  notIndexed,
];

const queriesOf = (ids: string[]) => ids.map((id) => queryOf(readProduct, { params: { id } }));

export async function loader({ request, context }: Route.LoaderArgs) {
  const { ids } = comparedIds(new URL(request.url).searchParams);
  const queries = await queryForMarkup(context, (known, api) =>
    Promise.all(
      ids.map((id) => known.prefetchQuery(queryOf(readProduct, { params: { id } }, api))),
    ),
  );
  return { digest: digestOfLaptops(queries, ids) };
}

/** Undefined until every laptop has been read. A laptop that is gone counts as read. */
function digestOfLaptops(queries: QueryClient, ids: string[]): string | undefined {
  const states = queriesOf(ids).map(({ queryKey }) => queries.getQueryState(queryKey));
  if (states.some((state) => state?.data === undefined && !isGone(state?.error))) return undefined;
  return digestOf(states.map((state) => state?.data ?? null));
}

function isGone(error: unknown): boolean {
  return (
    error instanceof Object && "status" in error && (error.status === 404 || error.status === 410)
  );
}

async function fetchLaptops(ids: string[]): Promise<void> {
  await Promise.all(queriesOf(ids).map((query) => browserQueries.prefetchQuery(query)));
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await fetchLaptops(comparedIds(new URL(request.url).searchParams).ids);
}

let fetched: Promise<string> | undefined;

/** Fetches once, for hydration, the laptops in the URL that the document was opened with. */
function fetchForHydration(): Promise<string> {
  fetched ??= fetchUntilRead(comparedIds(new URLSearchParams(location.search)).ids);
  return fetched;
}

async function fetchUntilRead(ids: string[]): Promise<string> {
  await fetchLaptops(ids);
  const digest = digestOfLaptops(browserQueries, ids);
  if (digest !== undefined) return digest;
  await nextAttempt();
  return await fetchUntilRead(ids);
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.search !== nextUrl.search;
}

export default function Compare({ loaderData }: Route.ComponentProps) {
  return (
    <ServerRendered digest={loaderData?.digest} fetchAgain={fetchForHydration}>
      <Comparison />
    </ServerRendered>
  );
}

/** Undefined for a column without a laptop, and for a laptop that is gone. */
function useLaptop(id = "") {
  const query = queryOf(readProduct, { params: { id } });
  return useQuery({ ...query, ...freshFromLoader, enabled: id !== "" }).data;
}

function Comparison() {
  const [query] = useSearchParams();
  const { ids, leftOut } = comparedIds(query);
  const list = ids.join(",");
  useEffect(() => rememberCompared(list === "" ? [] : list.split(",")), [list]);
  const laptops = [useLaptop(ids[0]), useLaptop(ids[1]), useLaptop(ids[2]), useLaptop(ids[3])];
  const columns = ids.map((id, index) => ({ id, laptop: laptops[index] }));
  return (
    <div {...useHydratingMark()}>
      <PageHeading title="Compare laptops" />
      {leftOut > 0 && (
        <p role="status" className="mb-4">
          Four laptops fit side by side. The others are left out.
        </p>
      )}
      {ids.length > 0 ? (
        <CompareTable
          columns={columns}
          factLabels={factLabels}
          factsOf={factRows}
          another={<AnotherLaptop />}
        />
      ) : (
        <Notice title="Nothing to compare yet" drawing={<EmptyIllustration />}>
          <p>Press Compare on a laptop's page, or choose laptops in the search.</p>
        </Notice>
      )}
      {ids.length < 4 && (
        <p className={`mt-6 ${ids.length === 1 ? "compare-find-below" : ""}`}>
          <FindAnother />
        </p>
      )}
    </div>
  );
}

function AnotherLaptop() {
  return (
    <div className="compare-another">
      <p>Choose a laptop to compare this one with, and press Compare on its page.</p>
      <FindAnother />
    </div>
  );
}

function FindAnother() {
  return (
    <Link to={paths.search()} className={buttonClass({ look: "plain" })}>
      Find another laptop
    </Link>
  );
}
