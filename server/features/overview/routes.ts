import * as calls from "#contract/overview.ts";
import { type Feature, ok } from "../../http/route-registration.ts";
import { readAdminOverview, readSellerOverview } from "./overview.ts";
import { countViews } from "./views.ts";

export function overviewRoutes({ serve, deps }: Feature): void {
  serve(calls.readSellerOverview, async ({ caller }) =>
    ok(await readSellerOverview(deps.db, caller, deps.clock.now())),
  );

  serve(calls.readAdminOverview, async () =>
    ok(await readAdminOverview(deps.db, deps.clock.now())),
  );

  serve(calls.countViews, async ({ body }) => {
    await countViews(deps, body.productIds);
    return ok({ acknowledged: true as const });
  });
}
