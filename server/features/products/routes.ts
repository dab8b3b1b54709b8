import * as laptops from "#contract/laptops.ts";
import * as calls from "#contract/products.ts";
import { created, listed, ok, type Router } from "../../http/route-registration.ts";
import { editProduct } from "./edit-product.ts";
import * as products from "./products.ts";
import { readProduct } from "./read-product.ts";
import { takeDownProduct } from "./takedown.ts";

export function productRoutes({ route, deps }: Router): void {
  route(calls.listAdvertisedProducts, async ({ query, tx }) =>
    listed(await products.listAvailable(tx, { advertised: true }, query)),
  );

  route(calls.listSellerProducts, async ({ params, query, tx }) =>
    listed(await products.listSellerProducts({ ...deps, db: tx }, params.email, query)),
  );

  route(laptops.readProduct, async ({ params, tx }) => ok(await readProduct(tx, params.id)));

  route(calls.addProduct, async ({ body, caller }) =>
    created({
      acknowledged: true as const,
      insertedId: await products.addProduct(deps, caller, body),
    }),
  );

  route(calls.editProduct, async ({ params, body, caller }) => {
    await editProduct(deps, caller, { id: params.id, changes: body });
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  });

  route(calls.toggleAdvertise, async ({ body, caller }) => {
    const { advertise } = await products.toggleAdvertise(deps, caller, body);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const, advertise });
  });

  route(calls.takeDownProduct, async ({ body, caller }) => {
    await takeDownProduct(deps, caller, body);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  });

  route(calls.deleteProduct, async ({ params, caller }) => {
    await products.deleteProduct(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });
}
