import type { ShouldRevalidateFunctionArgs } from "react-router";
import { readProduct } from "#contract/laptops.ts";
import { queryOf } from "#web/api/api.ts";
import { comparedIds } from "#web/features/compare/compared-ids.ts";
import { metaTags, notIndexed } from "#web/page-meta.ts";
import {
  digestOfPage,
  fetchForHydration,
  fetchPageData,
  type PageData,
} from "#web/start/markup.ts";
import { isMissing } from "#web/start/missing.ts";
import { readForMarkup } from "#web/start/read-for-markup.ts";
import { ServerRendered } from "#web/start/ServerRendered.tsx";
import type { Route } from "./+types/compare.ts";
import { CompareContent } from "./compare-content.tsx";

/** The page's HTML depends on the query (server/pages/pages.ts). */
export const handle = { readsQuery: true };

const description = "Used laptops side by side: prices, condition, memory, battery and screen.";

export const meta = (route: Route.MetaArgs) => [
  ...metaTags({ title: "Compare laptops", description, isVariant: true }, route),
  // Each combination of laptops has its own URL, which search engines should not list.
  notIndexed,
];

/** A laptop that is gone has an empty column. */
const page: PageData<string[]> = {
  queriesOf: (ids, api) => ids.map((id) => queryOf(readProduct, { params: { id } }, api)),
  isAnswer: isMissing,
  mayFail: true,
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const { ids } = comparedIds(new URL(request.url).searchParams);
  return { digest: digestOfPage(await readForMarkup(context, page, ids), page, ids) };
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await fetchPageData(page, comparedIds(new URL(request.url).searchParams).ids);
}

/** Fetches the laptops in the URL for hydration. */
function fetchAgain(): Promise<string> {
  return fetchForHydration(page, comparedIds(new URLSearchParams(location.search)).ids);
}

/** Ignores query changes from opening or closing a dialog. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  const [from, to] = [currentUrl, nextUrl].map((url) => comparedIds(url.searchParams).ids.join());
  return from !== to;
}

export default function Compare({ loaderData }: Route.ComponentProps) {
  return (
    <ServerRendered digest={loaderData?.digest} fetchAgain={fetchAgain}>
      <CompareContent />
    </ServerRendered>
  );
}
