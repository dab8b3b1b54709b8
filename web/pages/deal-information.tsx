import { useLocation } from "react-router";
import { readConfig } from "#contract/config.ts";
import { noFee } from "#contract/fee.ts";
import { informationTitles } from "#contract/page-paths.ts";
import { type Api, browserApi, pageContext, publicApi } from "#web/api/api.ts";
import { type DealTerms, dealPages, dealPaths } from "#web/domain/information/deal-pages.ts";
import { InformationArticle, readOwnText } from "#web/features/site/InformationArticle.tsx";
import { type MetaArgs, metaTags } from "#web/page-meta.ts";
import type { Route } from "./+types/deal-information.ts";

/** Placeholder terms for the meta tags, whose title and description mention no terms. */
const selling = { sellers: "everybody", approval: false } as const;
const noTerms = { fee: noFee, handoverDays: 0, complaintHours: 0, selling };

export const meta = (route: MetaArgs) => metaTags(pageAt(noTerms, route.location.pathname), route);

export async function loader({ request, context }: Route.LoaderArgs) {
  return await read(publicApi(context.get(pageContext).fetch), request.url);
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await read(browserApi, request.url);
}

async function read(api: Api, url: string) {
  const [{ body }, text] = await Promise.all([api(readConfig, {}), readOwnText(api, url)]);
  const { fee, handoverDays, complaintHours, selling } = body;
  return { terms: { fee, handoverDays, complaintHours, selling }, text };
}

export default function DealInformationPage({ loaderData: { terms, text } }: Route.ComponentProps) {
  const { title, sections } = pageAt(terms, useLocation().pathname);
  return <InformationArticle title={title} sections={sections} text={text} />;
}

/** The fallback is never used, because routes match only these pages' paths. */
function pageAt(terms: DealTerms, pathname: string) {
  const path = dealPaths.find((one) => one === pathname.replace(/\/$/, "")) ?? "/buying";
  return { ...dealPages(terms)[path], title: informationTitles.Services?.[path] ?? "" };
}
