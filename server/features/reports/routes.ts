import { dismissFlag, listFlaggedListings } from "#contract/flagged-listings.ts";
import * as calls from "#contract/reports.ts";
import { answer, listed, type Router } from "../../http/route-registration.ts";
import * as flagged from "./flagged-listings.ts";
import * as reports from "./reports.ts";

export function reportRoutes({ route, deps }: Router): void {
  route(calls.reportProduct, async ({ body, caller }) =>
    answer.inserted(reports.reportProduct(deps, caller, body)),
  );

  route(calls.listReports, async ({ query, tx }) => listed(await reports.listReports(tx, query)));

  route(listFlaggedListings, async ({ query, tx }) =>
    listed(await flagged.listFlaggedListings(tx, query)),
  );

  route(dismissFlag, async ({ params, query, caller }) =>
    answer.deleted(flagged.dismissFlag(deps, caller, { ...params, ...query })),
  );

  route(calls.deleteReport, async ({ params, caller }) =>
    answer.deleted(reports.deleteReport(deps, caller, params.id)),
  );
}
