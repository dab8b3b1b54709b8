import * as calls from "#contract/categories.ts";
import { listed, ok, type Router } from "../../http/route-registration.ts";
import * as categories from "./categories.ts";

export function categoryRoutes({ route }: Router): void {
  route(calls.listCategories, async ({ tx }) => ok(await categories.listCategories(tx)));

  route(calls.listCategoryProducts, async ({ params, query, tx }) =>
    listed(await categories.listCategoryProducts(tx, params.id, query)),
  );
}
