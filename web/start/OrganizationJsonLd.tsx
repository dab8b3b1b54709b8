import { useLocation } from "react-router";
import type { Shop } from "#contract/shop.ts";
import { inScript } from "../ui/in-script.ts";

/** The shop as schema.org's Organization on Home, for search engines, which read the markup. */
export function OrganizationJsonLd({ shop, origin }: { shop: Shop; origin: string }) {
  if (useLocation().pathname !== "/") return null;
  const { name, logo, operator, social } = shop;
  const profiles = Object.values(social ?? {}).filter((address) => address !== "");
  return (
    <script type="application/ld+json">
      {inScript({
        "@context": "https://schema.org",
        "@type": "Organization",
        name,
        url: origin,
        logo: `${origin}${logo ?? "/icon-512.png"}`,
        ...(operator && { legalName: operator.name, address: operator.address }),
        ...(operator?.email && { email: operator.email }),
        ...(profiles.length > 0 && { sameAs: profiles }),
      })}
    </script>
  );
}
