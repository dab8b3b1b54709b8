import type { QueryClient } from "@tanstack/react-query";
import { data as respond } from "react-router";
import type { Connection } from "#contract/client.ts";
import { sellerPath } from "#contract/page-paths.ts";
import { readSeller } from "#contract/sellers.ts";
import { publicApi, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { metaTags, notIndexed } from "#web/page-meta.ts";
import { digestOfPage, fetchForHydration, fetchPageData } from "#web/start/markup.ts";
import { lookUp, requireRead } from "#web/start/missing.ts";
import { readForMarkup } from "#web/start/read-for-markup.ts";
import { ServerRendered } from "#web/start/ServerRendered.tsx";
import type { Route } from "./+types/seller.ts";
import { shouldRevalidate } from "./product-dialogs.tsx";
import { requestsFor, SellerContent, sellerPage } from "./seller-content.tsx";

export const meta = ({ loaderData, ...route }: Route.MetaArgs) => {
  const name = loaderData?.name;
  if (name === undefined) return [...metaTags({ title: "Page not found" }, route), notIndexed];
  return metaTags({ title: name, description: `Used laptops from ${name}, and reviews.` }, route);
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Called by the server before rendering: finds the seller (server/pages/site.ts). */
export const handle = {
  async lookUp({ id = "" }: { id?: string }, fetch: Connection["fetch"]) {
    if (!uuid.test(id)) return { status: 404 };
    return await lookUp(async () => {
      const { body } = await publicApi(fetch)(readSeller, { params: { id } });
      return sellerPath(body._id);
    });
  },
};

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  if (!uuid.test(id)) throw respond(null, { status: id === "gone" ? 410 : 404 });
  const queries = await readForMarkup(context, sellerPage, id);
  return { digest: digestOfPage(queries, sellerPage, id), name: nameIn(queries, id) };
}

export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs) {
  if (!uuid.test(id)) throw respond(null, { status: 404 });
  await fetchPageData(sellerPage, id);
  requireRead(queryOf(readSeller, requestsFor(id).seller));
  return { digest: undefined, name: nameIn(browserQueries, id) };
}

export { shouldRevalidate };

function nameIn(queries: QueryClient, id: string): string | undefined {
  return queries.getQueryData(queryOf(readSeller, requestsFor(id).seller).queryKey)?.name;
}

/** A seller's public page, with their laptops and reviews. */
export default function SellerPage({ loaderData, params: { id } }: Route.ComponentProps) {
  return (
    <ServerRendered
      digest={loaderData?.digest}
      fetchAgain={() => fetchForHydration(sellerPage, id)}
    >
      <SellerContent id={id} />
    </ServerRendered>
  );
}
