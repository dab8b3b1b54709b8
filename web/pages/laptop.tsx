import { useQuery } from "@tanstack/react-query";
import { data as respond } from "react-router";
import type { Connection } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { type Api, publicApi, queryOf } from "#web/api/api.ts";
import { browserQueries, freshFromLoader } from "#web/api/query-client.ts";
import { laptopInfo } from "#web/features/products/laptop-info.ts";
import { metaTags, notIndexed } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { fetchPageData, type PageData, ServerRendered } from "#web/start/markup.tsx";
import { lookUp, requireRead } from "#web/start/missing.ts";
import { configForMarkup, readForMarkup } from "#web/start/read-for-markup.ts";
import type { Route } from "./+types/laptop.ts";
import { LaptopView } from "./LaptopView.tsx";

export const meta = ({ loaderData, ...route }: Route.MetaArgs) => {
  const info = loaderData?.info ?? { title: "Page not found" };
  return [...metaTags(info, route), ...(info.description ? [] : [notIndexed])];
};

function laptopIdOf(part = ""): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=-|$)/i.exec(part)?.[0];
}

const laptopQuery = (id: string, api?: Api) => queryOf(readProduct, { params: { id } }, api);

const page: PageData<string> = {
  queriesOf: (id, api) => [laptopQuery(id, api)],
};

/** Called by the server before rendering: finds the laptop and its path (server/pages/site.ts). */
export const handle = import.meta.env.SSR && {
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
  const config = await configForMarkup(context).catch(() => undefined);
  const { queries, digest } = await readForMarkup(context, page, id);
  const info = laptopInfo(queries.getQueryData(laptopQuery(id).queryKey));
  return { digest, info, complaintHours: config?.complaintHours };
}

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const id = laptopIdOf(params.laptop);
  if (id === undefined) throw respond(null, { status: 404 });
  const reading = browserQueries.query({ ...queryOf(readConfig, {}), staleTime: "static" });
  const [config] = await Promise.all([reading.catch(() => undefined), fetchPageData(page, id)]);
  requireRead(laptopQuery(id));
  const info = laptopInfo(browserQueries.getQueryData(laptopQuery(id).queryKey));
  return { digest: undefined, info, complaintHours: config?.complaintHours };
}

export { shouldRevalidate } from "./product-dialogs.tsx";

export default function LaptopPage({ loaderData, params }: Route.ComponentProps) {
  const id = laptopIdOf(params.laptop) ?? "";
  return (
    <ServerRendered page={page} pageKey={id} digest={loaderData?.digest}>
      <LaptopContent id={id} complaintHours={loaderData?.complaintHours} />
    </ServerRendered>
  );
}

type LaptopContentProps = { id: string; complaintHours: number | undefined };

function LaptopContent({ id, complaintHours }: LaptopContentProps) {
  const { data: laptop } = useQuery({ ...laptopQuery(id), ...freshFromLoader });
  return laptop && <LaptopView laptop={laptop} complaintHours={complaintHours} />;
}
