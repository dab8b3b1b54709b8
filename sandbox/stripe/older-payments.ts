import { addBalanceTransaction } from "./balance.ts";
import type { Charge, Dispute, Refund } from "./objects.ts";
import type { Store } from "./store.ts";

const all = { limit: 1_000_000 };

/** Adds missing balance transactions for objects that an older sandbox stored. */
export function addOlderTransactions(store: Store): void {
  if (store.list("balance_transaction", { limit: 1 }).length > 0) return;
  store.transaction(() => {
    for (const charge of store.list("charge", all).reverse()) addCharge(store, charge);
    for (const refund of store.list("refund", all).reverse()) addRefund(store, refund);
    for (const dispute of store.list("dispute", all).reverse()) addDispute(store, dispute);
  });
}

function addCharge(store: Store, charge: Charge): void {
  if (charge.status !== "succeeded") return;
  const { id: source, amount, currency } = charge;
  const movement = { kind: "charge", amount, currency, source } as const;
  store.put({ ...charge, balance_transaction: addBalanceTransaction(store, movement).id });
}

function addRefund(store: Store, refund: Refund): void {
  const { id: source, amount, currency, status } = refund;
  const movement = { amount: -amount, currency, source };
  const { id } = addBalanceTransaction(store, { kind: "refund", ...movement });
  const failed = status === "failed" && {
    failure_balance_transaction: addBalanceTransaction(store, {
      ...{ kind: "refund_failure", amount, currency, source },
    }).id,
  };
  store.put({ ...refund, balance_transaction: id, ...failed });
}

function addDispute(store: Store, dispute: Dispute): void {
  const { id: source, amount, currency, status } = dispute;
  if (status.startsWith("warning")) return;
  const movement = { amount: -amount, currency, source };
  const transactions = [addBalanceTransaction(store, { kind: "dispute", ...movement })];
  if (status === "won") {
    const back = { kind: "dispute_reversal", amount, currency, source } as const;
    transactions.push(addBalanceTransaction(store, back));
  }
  store.put({ ...dispute, balance_transactions: transactions });
}
