import * as calls from "#contract/overview.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { countViews } from "./count-views.ts";
import { readAdminOverview, readSellerOverview } from "./overview.ts";

export function overviewRoutes({ route, deps }: Router): void {
  route(calls.readSellerOverview, async ({ caller }) =>
    ok(await readSellerOverview(deps.db, caller, deps.clock.now())),
  );

  route(calls.readAdminOverview, async () =>
    ok(await readAdminOverview(deps.db, deps.clock.now())),
  );

  route(calls.countViews, async ({ body }) => {
    await countViews(deps, body.productIds);
    return ok({ acknowledged: true as const });
  });
}
