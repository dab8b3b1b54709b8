import { data } from "react-router";
import { inProduction } from "#web/api/api.ts";
import { pageMeta } from "#web/page-meta.ts";
import type { Route } from "./+types/ui.ts";
import { Buttons } from "./gallery/Buttons.tsx";
import { Forms } from "./gallery/Forms.tsx";
import { Language } from "./gallery/Language.tsx";
import { Listing } from "./gallery/Listing.tsx";
import { Lists } from "./gallery/Lists.tsx";

/** This page is useless without scripts, so the app starts at once (`web/start/app-start.ts`). */
export const handle = { isEager: true };

export const meta = pageMeta("Components");

/** A page for developers; not found in production. */
export function loader({ context }: Route.LoaderArgs) {
  if (context.get(inProduction)) throw data(null, { status: 404 });
  return null;
}

export function clientLoader() {
  return null;
}

/**
 * Every component in every state (docs/design-language.md). A test compares screenshots of this
 * page.
 */
export default function Components() {
  return (
    <div className="flex flex-col gap-16">
      <h1 className="text-headline">Components</h1>
      <Language />
      <Buttons />
      <Forms />
      <Listing />
      <Lists />
    </div>
  );
}
