import { useLocation } from "react-router";
import { type PublicConfig, readConfig } from "#contract/config.ts";
import { informationTitles } from "#contract/information.ts";
import { browserApi, fetchContext, publicApi } from "#web/api/api.ts";
import { type DealTerms, dealPages, dealPaths } from "#web/features/site/deal-pages.ts";
import { type MetaArgs, metaTags } from "#web/page-meta.ts";
import type { Route } from "./+types/deal-information.ts";

/** Placeholder terms for the meta tags, whose title and description mention no terms. */
const noTerms = { feePercent: 0, handoverDays: 0, complaintHours: 0 };

export const meta = (route: MetaArgs) => metaTags(pageAt(noTerms, route.location.pathname), route);

export async function loader({ context }: Route.LoaderArgs): Promise<DealTerms> {
  return termsOf((await publicApi(context.get(fetchContext))(readConfig, {})).body);
}

export async function clientLoader(): Promise<DealTerms> {
  return termsOf((await browserApi(readConfig, {})).body);
}

function termsOf({ feePercent, handoverDays, complaintHours }: PublicConfig): DealTerms {
  return { feePercent, handoverDays, complaintHours };
}

/** Buying, selling, fees, safety and buyer protection, with the terms of this shop. */
export default function DealInformationPage({ loaderData }: Route.ComponentProps) {
  const { title, sections } = pageAt(loaderData, useLocation().pathname);
  return (
    <article className="mx-auto flex max-w-prose flex-col gap-8">
      <h1 className="text-headline">{title}</h1>
      {sections.map(({ heading, text }) => (
        <section key={heading} className="flex flex-col gap-2">
          <h2 className="text-heading">{heading}</h2>
          <p className="text-muted">{text}</p>
        </section>
      ))}
    </article>
  );
}

/** The fallback is never used, because the routes match only the paths of these pages. */
function pageAt(terms: DealTerms, pathname: string) {
  const path = dealPaths.find((one) => one === pathname.replace(/\/$/, "")) ?? "/buying";
  return { ...dealPages(terms)[path], title: informationTitles.Services?.[path] ?? "" };
}
