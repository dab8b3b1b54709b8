import { useLocation } from "react-router";
import { informationTitles } from "#contract/information.ts";
import { type MetaArgs, metaTags } from "#web/page-meta.ts";
import type { Information } from "./information-pages.ts";
import { NotFound } from "./NotFound.tsx";

type Pages = Record<string, Information>;

const titles: Record<string, string> = Object.assign({}, ...Object.values(informationTitles));

export const informationMeta = (pages: Pages) => (route: MetaArgs) =>
  metaTags(pageAt(pages, route.location.pathname) ?? { title: "Not found" }, route);

/** The page of the current address. */
export function InformationText({ pages }: { pages: Pages }) {
  const page = pageAt(pages, useLocation().pathname);
  if (!page) return <NotFound />;
  return (
    <article className="mx-auto flex max-w-prose flex-col gap-8">
      <h1 className="text-headline">{page.title}</h1>
      {page.sections.map(({ heading, text }) => (
        <section key={heading} className="flex flex-col gap-2">
          <h2 className="text-heading">{heading}</h2>
          <p className="text-muted">{text}</p>
        </section>
      ))}
    </article>
  );
}

function pageAt(pages: Pages, pathname: string) {
  const path = pathname.replace(/\/$/, "");
  const page = pages[path];
  return page && { ...page, title: titles[path] ?? "" };
}
