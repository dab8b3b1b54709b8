import { correctDifference as correct, listJournals, readLedger } from "#contract/ledger.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { correctDifference } from "./correct-difference.ts";
import { findJournals, readBalances, readReconciliation } from "./read-ledger.ts";

export function ledgerRoutes({ route, deps }: Router): void {
  route(readLedger, async ({ tx }) =>
    ok({
      balances: await readBalances(tx),
      reconciliation: await readReconciliation(tx),
    }),
  );

  route(listJournals, async ({ query: { search }, tx }) => ok(await findJournals(tx, search)));

  route(correct, async ({ body, caller }) => {
    await correctDifference(deps, caller, body);
    return ok({ acknowledged: true as const });
  });
}
