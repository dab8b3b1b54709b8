import { readFairPrice } from "#contract/fair-price.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { fairPriceFor } from "./read-fair-price.ts";

export function fairPriceRoutes({ route, deps }: Router): void {
  route(readFairPrice, async ({ query, tx }) =>
    ok({ range: await fairPriceFor({ ...deps, db: tx }, query) }),
  );
}
