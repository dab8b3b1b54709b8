import * as calls from "#contract/sellers.ts";
import { listed, ok, type Router } from "../../http/route-registration.ts";
import { listSellerLaptops, readSeller } from "./sellers.ts";

export function sellerRoutes({ route, deps }: Router): void {
  route(calls.readSeller, async ({ params }) => ok(await readSeller(deps.db, params.id)));

  route(calls.listSellerLaptops, async ({ params, query }) =>
    listed(await listSellerLaptops(deps.db, { ...params, ...query })),
  );
}
