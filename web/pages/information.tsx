import { useLocation } from "react-router";
import { informationTitles } from "#contract/information.ts";
import { informationPages } from "#web/features/site/information-pages.ts";
import { NotFound } from "#web/features/site/NotFound.tsx";
import { type MetaArgs, metaTags } from "#web/page-meta.ts";

export const meta = (route: MetaArgs) =>
  metaTags(pageAt(route.location.pathname) ?? { title: "Not found" }, route);

export default function InformationPage() {
  const page = pageAt(useLocation().pathname);
  if (!page) return <NotFound />;
  return (
    <article className="mx-auto flex max-w-prose flex-col gap-8">
      <h1 className="text-headline">{page.title}</h1>
      {page.sections.length === 0 && (
        <p className="text-muted">Nothing has been published here yet.</p>
      )}
      {page.sections.map(({ heading, text }) => (
        <section key={heading} className="flex flex-col gap-2">
          <h2 className="text-heading">{heading}</h2>
          <p className="text-muted">{text}</p>
        </section>
      ))}
    </article>
  );
}

function pageAt(pathname: string) {
  const path = pathname.replace(/\/$/, "");
  const page = informationPages[path];
  return page && { ...page, title: titles[path] ?? "" };
}

const titles: Record<string, string> = Object.assign({}, ...Object.values(informationTitles));
