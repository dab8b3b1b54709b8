import { type PublicConfig, readConfig } from "#contract/config.ts";
import { browserApi, fetchContext, publicApi } from "#web/api/api.ts";
import { type DealTerms, dealPages } from "#web/features/site/deal-pages.ts";
import { InformationText, informationMeta } from "#web/features/site/InformationText.tsx";
import type { MetaArgs } from "#web/page-meta.ts";
import type { Route } from "./+types/deal-information.ts";

/** Search engines get the description only, which names no terms. */
const noTerms = { feePercent: 0, handoverDays: 0, complaintHours: 0 };

export const meta = (route: MetaArgs) => informationMeta(dealPages(noTerms))(route);

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
  return <InformationText pages={dealPages(loaderData)} />;
}
