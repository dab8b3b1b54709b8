import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { readShopSettings } from "#contract/shop-settings.ts";
import { firstStepsPath } from "#web/admin-paths.ts";
import { queryOf } from "#web/api/api.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Catalog } from "./Catalog.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { ShopSettingsForm } from "./ShopSettingsForm.tsx";
import { ShopVersions } from "./ShopVersions.tsx";

type ShopSettingsProps = { part: "settings" | "categories" | "first-steps" };

/** One module, because these pages share most of their code. */
export default function ShopSettings({ part }: ShopSettingsProps) {
  if (part === "settings") return <Settings />;
  return part === "categories" ? <Catalog /> : <FirstSteps />;
}

function Settings() {
  const settings = useQuery(queryOf(readShopSettings, {}));
  return (
    <QueryState query={settings} skeleton={<div className="skeleton h-96" />}>
      {(found) => (
        <>
          <p className="mb-8">
            <Link to={firstStepsPath} className="link">
              First steps of a new shop
            </Link>
          </p>
          <ShopSettingsForm settings={found} />
          <ShopVersions versions={found.versions} />
        </>
      )}
    </QueryState>
  );
}
