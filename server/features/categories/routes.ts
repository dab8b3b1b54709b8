import * as calls from "#contract/categories.ts";
import { listed, ok, type Router } from "../../http/route-registration.ts";
import * as categories from "./categories.ts";

export function categoryRoutes({ route, deps }: Router): void {
  route(calls.listCategories, async () => ok(await categories.listCategories(deps.db)));

  route(calls.listCategoryProducts, async ({ params, query }) =>
    listed(await categories.listCategoryProducts(deps.db, params.id, query)),
  );
}
