import { InformationText, informationMeta } from "#web/features/site/InformationText.tsx";
import { informationPages } from "#web/features/site/information-pages.ts";

export const meta = informationMeta(informationPages);

export default function InformationPage() {
  return <InformationText pages={informationPages} />;
}
