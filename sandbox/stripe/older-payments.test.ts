import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDataDir } from "#sandbox/testing/sandbox.ts";
import { openDispute } from "./disputes.ts";
import { newCharge, newIntent, newPaymentMethod, newRefund } from "./new-objects.ts";
import { addOlderTransactions } from "./older-payments.ts";
import { openStore } from "./store.ts";
import { cardByNumber } from "./test-cards.ts";

test("payments, refunds and disputes from an older sandbox get their balance transactions exactly once", async () => {
  const folder = await temporaryDataDir();
  const store = openStore(join(folder.path, "stripe.sqlite"));
  const intent = newIntent({ amount: 10_000, currency: "usd", metadata: {} });
  const payer = { name: null, email: null };
  const card = cardByNumber("4242424242424242");
  const method = newPaymentMethod({ card, payer, expiry: { month: 1, year: 2030 } });
  const [kept, refunded, disputed] = [1, 2, 3].map(() => newCharge(intent, method));
  if (!kept || !refunded || !disputed) throw new Error("There are no charges.");
  for (const charge of [kept, refunded, disputed]) store.put(charge);
  store.put(newRefund(refunded, 10_000, { metadata: {} }));
  store.put({ ...newRefund(kept, 4_000, { metadata: {} }), status: "failed" });
  openDispute(store, disputed, { reason: "fraudulent", inquiry: true });
  const [inquiry] = store.list("dispute", { limit: 1 });
  if (inquiry) store.put({ ...inquiry, status: "lost" });
  addOlderTransactions(store);
  addOlderTransactions(store);
  const moved = store.list("balance_transaction", { limit: 10 });
  expect(moved.map(({ type, amount }) => [type, amount]).reverse()).toEqual([
    ...Array.from({ length: 3 }, () => ["charge", 10_000]),
    ...[
      ["refund", -10_000],
      ["refund", -4_000],
      ["refund_failure", 4_000],
    ],
    ["adjustment", -10_000],
  ]);
  expect(store.find("charge", kept.id)?.balance_transaction).toMatch(/^txn_/);
  expect(store.list("dispute", { limit: 1 })[0]?.balance_transactions).toHaveLength(1);
  store.close();
  await folder.remove();
});
