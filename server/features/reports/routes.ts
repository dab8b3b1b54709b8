import { dismissFlag, listFlaggedListings } from "#contract/flagged-listings.ts";
import * as calls from "#contract/reports.ts";
import { created, listed, ok, type Router } from "../../http/route-registration.ts";
import * as flagged from "./flagged-listings.ts";
import * as reports from "./reports.ts";

export function reportRoutes({ route, deps }: Router): void {
  route(calls.reportProduct, async ({ body, caller }) =>
    created({
      acknowledged: true as const,
      insertedId: await reports.reportProduct(deps, caller, body),
    }),
  );

  route(calls.listReports, async ({ query, tx }) => listed(await reports.listReports(tx, query)));

  route(listFlaggedListings, async ({ query, tx }) =>
    listed(await flagged.listFlaggedListings(tx, query)),
  );

  route(dismissFlag, async ({ params, query, caller }) => {
    await flagged.dismissFlag(deps, caller, { ...params, ...query });
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });

  route(calls.deleteReport, async ({ params, caller }) => {
    await reports.deleteReport(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });
}
