import * as calls from "#contract/categories.ts";
import * as catalogCalls from "#contract/manage-categories.ts";
import { answer, listed, ok, type Router } from "../../http/route-registration.ts";
import * as categories from "./categories.ts";

export function categoryRoutes({ route, deps }: Router): void {
  route(calls.listCategories, async ({ tx }) => ok(await categories.listCategories(tx)));

  route(calls.readCategory, async ({ params, tx }) =>
    ok(await categories.readCategory(tx, params.id)),
  );

  route(calls.listCategoryProducts, async ({ params, query, tx }) =>
    listed(await categories.listCategoryProducts(tx, params.id, query)),
  );

  route(catalogCalls.readCatalog, async ({ tx }) => ok(await categories.readCatalog(tx)));

  route(catalogCalls.addCategory, async ({ body, caller }) => {
    const insertedId = await categories.addCategory(deps, { ...body, actor: caller.id });
    return ok({ acknowledged: true as const, insertedId });
  });

  route(catalogCalls.changeCategory, async ({ params, body, caller }) =>
    answer.modified(categories.changeCategory(deps, { ...params, ...body, actor: caller.id })),
  );

  route(catalogCalls.deleteCategory, async ({ params, body, caller }) =>
    answer.deleted(categories.deleteCategory(deps, { ...params, ...body, actor: caller.id })),
  );
}
