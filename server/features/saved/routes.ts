import * as productCalls from "#contract/saved-products.ts";
import * as searchCalls from "#contract/saved-searches.ts";
import { created, listed, ok, type Router } from "../../http/route-registration.ts";
import * as products from "./saved-products.ts";
import * as searches from "./saved-searches.ts";

export function savedProductRoutes({ route, deps }: Router): void {
  route(productCalls.listSavedProducts, async ({ caller, query, tx }) =>
    listed(await products.listSavedProducts(tx, caller, query)),
  );

  route(productCalls.listSavedProductIds, async ({ caller, tx }) =>
    ok(await products.listSavedProductIds(tx, caller)),
  );

  route(productCalls.saveProduct, async ({ params, caller }) => {
    await products.saveProduct(deps, caller, params.id);
    return ok({ acknowledged: true as const });
  });

  route(productCalls.unsaveProduct, async ({ params, caller }) => {
    await products.unsaveProduct(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });

  route(productCalls.setSavedProductEmails, async ({ body, caller }) => {
    await products.setSavedProductEmails(deps, caller, body.emails);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  });
}

export function savedSearchRoutes({ route, deps }: Router): void {
  route(searchCalls.listSavedSearches, async ({ caller, tx }) =>
    ok(await searches.listSavedSearches(tx, caller)),
  );

  route(searchCalls.saveSearch, async ({ body, caller }) =>
    created({
      acknowledged: true as const,
      insertedId: await searches.saveSearch(deps, caller, body),
    }),
  );

  route(searchCalls.changeSavedSearch, async ({ params, body, caller }) => {
    await searches.changeSavedSearch(deps, caller, { id: params.id, ...body });
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  });

  route(searchCalls.deleteSavedSearch, async ({ params, caller }) => {
    await searches.deleteSavedSearch(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });
}
