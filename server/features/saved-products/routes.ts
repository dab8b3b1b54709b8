import * as calls from "#contract/saved-products.ts";
import { listed, ok, type Router } from "../../http/route-registration.ts";
import * as saved from "./saved-products.ts";

export function savedProductRoutes({ route, deps }: Router): void {
  route(calls.listSavedProducts, async ({ caller, query, tx }) =>
    listed(await saved.listSavedProducts(tx, caller, query)),
  );

  route(calls.listSavedProductIds, async ({ caller, tx }) =>
    ok(await saved.listSavedProductIds(tx, caller)),
  );

  route(calls.saveProduct, async ({ params, caller }) => {
    await saved.saveProduct(deps, caller, params.id);
    return ok({ acknowledged: true as const });
  });

  route(calls.unsaveProduct, async ({ params, caller }) => {
    await saved.unsaveProduct(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });

  route(calls.setSavedProductEmails, async ({ body, caller }) => {
    await saved.setSavedProductEmails(deps, caller, body.emails);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  });
}
