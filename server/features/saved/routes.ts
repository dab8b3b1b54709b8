import * as productCalls from "#contract/saved-products.ts";
import * as searchCalls from "#contract/saved-searches.ts";
import { answer, listed, ok, type Router } from "../../http/route-registration.ts";
import * as products from "./saved-products.ts";
import * as searches from "./saved-searches.ts";

export function savedProductRoutes({ route, deps }: Router): void {
  route(productCalls.listSavedProducts, async ({ caller, query, tx }) =>
    listed(await products.listSavedProducts(tx, caller, query)),
  );

  route(productCalls.listSavedProductIds, async ({ caller, tx }) =>
    ok(await products.listSavedProductIds(tx, caller)),
  );

  route(productCalls.saveProduct, async ({ params, caller }) =>
    answer.acknowledged(products.saveProduct(deps, caller, params.id)),
  );

  route(productCalls.unsaveProduct, async ({ params, caller }) =>
    answer.deleted(products.unsaveProduct(deps, caller, params.id)),
  );

  route(productCalls.setSavedProductEmails, async ({ body, caller }) =>
    answer.modified(products.setSavedProductEmails(deps, caller, body.emails)),
  );
}

export function savedSearchRoutes({ route, deps }: Router): void {
  route(searchCalls.listSavedSearches, async ({ caller, tx }) =>
    ok(await searches.listSavedSearches(tx, caller)),
  );

  route(searchCalls.saveSearch, async ({ body, caller }) =>
    answer.inserted(searches.saveSearch(deps, caller, body)),
  );

  route(searchCalls.changeSavedSearch, async ({ params, body, caller }) =>
    answer.modified(searches.changeSavedSearch(deps, caller, { id: params.id, ...body })),
  );

  route(searchCalls.deleteSavedSearch, async ({ params, caller }) =>
    answer.deleted(searches.deleteSavedSearch(deps, caller, params.id)),
  );
}
