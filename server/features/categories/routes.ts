import * as calls from "#contract/categories.ts";
import { type Feature, listed, ok } from "../../http/route-registration.ts";
import * as categories from "./categories.ts";

export function categoryRoutes({ serve, deps }: Feature): void {
  serve(calls.listCategories, async () => ok(await categories.listCategories(deps.db)));

  serve(calls.listCategoryProducts, async ({ params, query }) =>
    listed(await categories.listCategoryProducts(deps.db, params.id, query)),
  );
}
