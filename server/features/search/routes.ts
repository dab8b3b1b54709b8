import * as calls from "#contract/search.ts";
import * as suggestions from "#contract/suggestions.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { search, searchTurns } from "./search.ts";
import { listSuggestions } from "./suggestions.ts";

export function searchRoutes({ route, deps }: Router): void {
  const turns = searchTurns;
  route(calls.search, async ({ query, tx }) => ok(await search(deps, tx, query)), { turns });

  route(
    suggestions.listSuggestions,
    async ({ query, tx }) => ok({ items: await listSuggestions(deps, tx, query.q) }),
    { turns },
  );
}
