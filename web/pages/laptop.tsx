import type { QueryClient } from "@tanstack/react-query";
import { data as respond } from "react-router";
import type { Connection } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import { readProduct } from "#contract/laptops.ts";
import { publicApi, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { laptopInfo } from "#web/features/products/laptop-info.ts";
import { metaTags, notIndexed } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import {
  digestOfPage,
  fetchForHydration,
  fetchPageData,
  type PageData,
} from "#web/start/markup.ts";
import { lookUp, requireRead } from "#web/start/missing.ts";
import { prefetchConfig, readForMarkup } from "#web/start/read-for-markup.ts";
import { ServerRendered } from "#web/start/ServerRendered.tsx";
import type { Route } from "./+types/laptop.ts";
import { LaptopContent } from "./laptop-content.tsx";
import { shouldRevalidate } from "./product-dialogs.tsx";

export const meta = ({ loaderData, ...route }: Route.MetaArgs) => {
  const info = loaderData?.info ?? { title: "Page not found" };
  return [...metaTags(info, route), ...(info.description ? [] : [notIndexed])];
};

/** The id in the last part of the path. */
function laptopIdOf(part = ""): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=-|$)/i.exec(part)?.[0];
}

const laptopQuery = (id: string) => queryOf(readProduct, { params: { id } });

const page: PageData<string> = {
  queriesOf: (id, api) => [queryOf(readProduct, { params: { id } }, api)],
};

/** Called by the server before rendering: finds the laptop and its path (server/pages/site.ts). */
export const handle = {
  async lookUp({ laptop }: { laptop?: string }, fetch: Connection["fetch"]) {
    const id = laptopIdOf(laptop);
    if (id === undefined) return { status: 404 };
    return await lookUp(async () => {
      const { body } = await publicApi(fetch)(readProduct, { params: { id } });
      return paths.laptop(body._id, body.product_name);
    });
  },
};

export async function loader({ context, params }: Route.LoaderArgs) {
  const id = laptopIdOf(params.laptop);
  if (id === undefined) throw respond(null, { status: params.laptop === "gone" ? 410 : 404 });
  // The page states the complaint period, which is in the settings.
  await prefetchConfig(context);
  const queries = await readForMarkup(context, page, id);
  const info = laptopInfo(queries.getQueryData(laptopQuery(id).queryKey));
  return { digest: digestOfPage(queries, page, id), info, complaintHours: hoursIn(queries) };
}

/** The complaint period in hours; undefined if the settings could not be read. */
function hoursIn(queries: QueryClient): number | undefined {
  return queries.getQueryData(queryOf(readConfig, {}).queryKey)?.complaintHours;
}

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const id = laptopIdOf(params.laptop);
  if (id === undefined) throw respond(null, { status: 404 });
  const config = browserQueries.prefetchQuery({ ...queryOf(readConfig, {}), staleTime: "static" });
  await Promise.all([fetchPageData(page, id), config]);
  requireRead(laptopQuery(id));
  const info = laptopInfo(browserQueries.getQueryData(laptopQuery(id).queryKey));
  return { digest: undefined, info, complaintHours: hoursIn(browserQueries) };
}

export { shouldRevalidate };

/** A laptop's public page. It stays up after the laptop is sold or withdrawn. */
export default function LaptopPage({ loaderData, params }: Route.ComponentProps) {
  const id = laptopIdOf(params.laptop) ?? "";
  return (
    <ServerRendered digest={loaderData?.digest} fetchAgain={() => fetchForHydration(page, id)}>
      <LaptopContent id={id} complaintHours={loaderData?.complaintHours} />
    </ServerRendered>
  );
}
