import { listJournals, readLedger } from "#contract/ledger.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { findJournals, readBalances, readReconciliation } from "./read-ledger.ts";

export function ledgerRoutes({ route, deps }: Router): void {
  route(readLedger, async () =>
    ok({
      balances: await readBalances(deps.db),
      reconciliation: await readReconciliation(deps.db),
    }),
  );

  route(listJournals, async ({ query: { search } }) => ok(await findJournals(deps.db, search)));
}
