import { data } from "react-router";
import { inProduction } from "#web/api/api.ts";
import { titled } from "#web/meta.ts";
import type { Route } from "./+types/ui.ts";
import { Forms } from "./specimens/Forms.tsx";
import { Language } from "./specimens/Language.tsx";
import { Listing } from "./specimens/Listing.tsx";
import { Lists } from "./specimens/Lists.tsx";
import { Pressing } from "./specimens/Pressing.tsx";

export const meta = titled("Components");

/** For those who build the site: in production there is no such page. */
export function loader({ context }: Route.LoaderArgs) {
  if (context.get(inProduction)) throw data(null, { status: 404 });
  return null;
}

export function clientLoader() {
  return null;
}

/** Every component in every state (docs/design-language.md); its pictures are compared by a test. */
export default function Components() {
  return (
    <div className="flex flex-col gap-16">
      <h1 className="text-headline">Components</h1>
      <Language />
      <Pressing />
      <Forms />
      <Listing />
      <Lists />
    </div>
  );
}
