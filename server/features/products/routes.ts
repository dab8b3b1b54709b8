import * as calls from "#contract/products.ts";
import { created, type Feature, listed, ok } from "../../http/route-registration.ts";
import * as products from "./products.ts";
import { takeDownProduct } from "./takedown.ts";

export function productRoutes({ serve, deps }: Feature): void {
  serve(calls.listAdvertisedProducts, async ({ query }) =>
    listed(await products.listAvailable(deps.db, { advertised: true }, query)),
  );

  serve(calls.listSellerProducts, async ({ params, query }) =>
    listed(await products.listSellerProducts(deps, params.email, query)),
  );

  serve(calls.addProduct, async ({ body, caller }) =>
    created({
      acknowledged: true as const,
      insertedId: await products.addProduct(deps, caller, body),
    }),
  );

  serve(calls.toggleAdvertise, async ({ body, caller }) => {
    const { advertise } = await products.toggleAdvertise(deps, caller, body);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const, advertise });
  });

  serve(calls.takeDownProduct, async ({ body, caller }) => {
    await takeDownProduct(deps, caller, body);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  });

  serve(calls.deleteProduct, async ({ params, caller }) => {
    await products.deleteProduct(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });
}
