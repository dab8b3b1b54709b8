import * as calls from "#contract/overview.ts";
import { answer, ok, type Router } from "../../http/route-registration.ts";
import { countViews, readAdminOverview, readSellerOverview } from "./overview.ts";

export function overviewRoutes({ route, deps }: Router): void {
  route(calls.readSellerOverview, async ({ caller, tx }) =>
    ok(await readSellerOverview(tx, caller, deps.clock.now())),
  );

  route(calls.readAdminOverview, async ({ tx }) =>
    ok(await readAdminOverview(tx, deps.clock.now())),
  );

  route(calls.countViews, async ({ body }) =>
    answer.acknowledged(countViews(deps, body.productIds)),
  );
}
