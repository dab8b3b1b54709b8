import * as calls from "#contract/payouts.ts";
import { created, listed, ok, type Router } from "../../http/route-registration.ts";
import * as sales from "./list-sales.ts";
import { connectAccount, refreshAccount } from "./payout-accounts.ts";

export function settlementRoutes({ route, deps }: Router): void {
  route(calls.readPayoutAccount, async ({ caller }) =>
    ok(await sales.readPayoutAccount(deps.db, caller)),
  );

  route(calls.connectPayoutAccount, async ({ caller }) =>
    created({ url: await connectAccount(deps, caller) }),
  );

  route(calls.refreshPayoutAccount, async ({ caller }) => {
    await refreshAccount(deps, caller.id);
    return ok({ acknowledged: true as const });
  });

  route(calls.listSales, async ({ caller, query, tx }) =>
    listed(await sales.listSales({ ...deps, db: tx }, caller, query)),
  );

  route(calls.listPayouts, async ({ caller, tx }) => ok(await sales.listPayouts(tx, caller)));

  route(calls.readStatement, async ({ caller, query, tx }) =>
    ok(await sales.readStatement({ ...deps, db: tx }, caller, query.year)),
  );

  route(calls.listStatementYears, async ({ caller, tx }) =>
    ok(await sales.listStatementYears(tx, caller)),
  );
}
