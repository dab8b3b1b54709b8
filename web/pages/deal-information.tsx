import { dealPages } from "#web/features/site/deal-pages.ts";
import { InformationText, informationMeta } from "#web/features/site/InformationText.tsx";

export const meta = informationMeta(dealPages);

/** Buying, selling, fees, safety and buyer protection. */
export default function DealInformationPage() {
  return <InformationText pages={dealPages} />;
}
