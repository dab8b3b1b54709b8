import * as calls from "#contract/sellers.ts";
import { listed, ok, type Router } from "../../http/route-registration.ts";
import { listSellerLaptops, readSeller } from "./sellers.ts";

export function sellerRoutes({ route }: Router): void {
  route(calls.readSeller, async ({ params, tx }) => ok(await readSeller(tx, params.id)));

  route(calls.listSellerLaptops, async ({ params, query, tx }) =>
    listed(await listSellerLaptops(tx, { ...params, ...query })),
  );
}
