import { useLocation } from "react-router";
import { informationTitles } from "#contract/page-paths.ts";
import { browserApi, pageContext, publicApi } from "#web/api/api.ts";
import { informationPages } from "#web/domain/information/information-pages.ts";
import { NotFound } from "#web/features/site/ErrorScreen.tsx";
import { InformationArticle, readOwnText } from "#web/features/site/InformationArticle.tsx";
import { type MetaArgs, metaTags } from "#web/page-meta.ts";
import type { Route } from "./+types/information.ts";

export const meta = (route: MetaArgs) =>
  metaTags(pageAt(route.location.pathname) ?? { title: "Page not found" }, route);

export async function loader({ request, context }: Route.LoaderArgs) {
  return await readOwnText(publicApi(context.get(pageContext).fetch), request.url);
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return await readOwnText(browserApi, request.url);
}

export default function InformationPage({ loaderData }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const page = pageAt(pathname);
  if (!page) return <NotFound />;
  const { title, sections } = page;
  return (
    <InformationArticle
      title={title}
      sections={sections}
      text={loaderData}
      hasOperator={pathname.startsWith("/contact")}
    />
  );
}

function pageAt(pathname: string) {
  const path = pathname.replace(/\/$/, "");
  const page = informationPages[path];
  return page && { ...page, title: titles[path] ?? "" };
}

const titles: Record<string, string> = Object.assign({}, ...Object.values(informationTitles));
