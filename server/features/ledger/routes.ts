import { listJournals, readLedger } from "#contract/ledger.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { findJournals, readBalances, readReconciliation } from "./read-ledger.ts";

export function ledgerRoutes({ route }: Router): void {
  route(readLedger, async ({ tx }) =>
    ok({
      balances: await readBalances(tx),
      reconciliation: await readReconciliation(tx),
    }),
  );

  route(listJournals, async ({ query: { search }, tx }) => ok(await findJournals(tx, search)));
}
