import * as calls from "#contract/saved-searches.ts";
import { created, ok, type Router } from "../../http/route-registration.ts";
import * as saved from "./saved-searches.ts";

export function savedSearchRoutes({ route, deps }: Router): void {
  route(calls.listSavedSearches, async ({ caller, tx }) =>
    ok(await saved.listSavedSearches(tx, caller)),
  );

  route(calls.saveSearch, async ({ body, caller }) =>
    created({
      acknowledged: true as const,
      insertedId: await saved.saveSearch(deps, caller, body),
    }),
  );

  route(calls.changeSavedSearch, async ({ params, body, caller }) => {
    await saved.changeSavedSearch(deps, caller, { id: params.id, ...body });
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  });

  route(calls.deleteSavedSearch, async ({ params, caller }) => {
    await saved.deleteSavedSearch(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });
}
