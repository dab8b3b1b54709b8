import { type ShouldRevalidateFunctionArgs, useSearchParams } from "react-router";
import { comparedIds } from "#web/features/compare/comparison.ts";
import { metaTags, notIndexed } from "#web/page-meta.ts";
import { fetchPageData, type PageData, ServerRendered } from "#web/start/markup.tsx";
import { isMissing } from "#web/start/missing.ts";
import { readForMarkup } from "#web/start/read-for-markup.ts";
import type { Route } from "./+types/compare.ts";
import { CompareView, laptopQuery } from "./CompareView.tsx";

/** The page's HTML depends on the query (server/pages/pages.ts). */
export const handle = { readsQuery: true };

const description = "Used laptops side by side: prices, condition, memory, battery and screen.";

export const meta = (route: Route.MetaArgs) => [
  ...metaTags({ title: "Compare laptops", description, isVariant: true }, route),
  // Each combination of laptops has its own URL, which search engines should not list.
  notIndexed,
];

/** A laptop that is gone has a column without values. */
const page: PageData<string[]> = {
  queriesOf: (ids, api) => ids.map((id) => laptopQuery(id, api)),
  isAnswer: isMissing,
  mayFail: true,
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const { ids } = comparedIds(new URL(request.url).searchParams);
  const { digest } = await readForMarkup(context, page, ids);
  return { digest };
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await fetchPageData(page, comparedIds(new URL(request.url).searchParams).ids);
}

/** Ignores query changes from opening or closing a dialog. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  const [from, to] = [currentUrl, nextUrl].map((url) => comparedIds(url.searchParams).ids.join());
  return from !== to;
}

export default function Compare({ loaderData }: Route.ComponentProps) {
  const { ids } = comparedIds(useSearchParams()[0]);
  return (
    <ServerRendered page={page} pageKey={ids} digest={loaderData?.digest}>
      <CompareView />
    </ServerRendered>
  );
}
