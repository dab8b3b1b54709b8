import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, expect, test } from "vitest";
import { recipient } from "#sandbox/testing/control-sandbox.ts";
import { temporaryDataDir } from "#sandbox/testing/sandbox.ts";
import { activate, createAccount, findAccount } from "./accounts.ts";
import { advanceClock } from "./advance-clock.ts";
import { addBalanceTransaction } from "./balance.ts";
import { setClockAhead, unixSeconds } from "./clock.ts";
import { flipDispute, submitEvidence } from "./disputes.ts";
import { StripeApiError } from "./errors.ts";
import type { Charge, Dispute } from "./objects.ts";
import { createAccountParams } from "./params.ts";
import { confirmIntent, createIntent } from "./payment-intents.ts";
import { createPayout } from "./payouts.ts";
import { createRefund, failRefund } from "./refunds.ts";
import { openStore, ownAccount, type Store } from "./store.ts";
import { cardByPaymentMethod } from "./test-cards.ts";
import { createTransfer, reverseTransfer } from "./transfers.ts";

const dataDir = await temporaryDataDir();
const all = { limit: 1_000_000 };
let files = 0;

afterEach(() => setClockAhead(0));
afterAll(async () => await dataDir.remove());

/** `which` selects an existing object. */
type Step = { act: keyof typeof acts; which: number; amount: number };

const acts = {
  pay: (store, { which, amount }) => pay(store, which, amount),
  refund: (store, { which, amount }) => {
    const { payment_intent } = pick(charges(store), which);
    createRefund(store, { payment_intent, amount, metadata: {} });
  },
  failRefund: (store, { which }) => {
    failRefund(store, pick(store.list("refund", all), which).id);
  },
  transfer: (store, { which, amount }) => {
    const destination = pick(accounts(store), which);
    const source = which % 3 === 0 ? {} : { source_transaction: pick(charges(store), which).id };
    createTransfer(store, { amount, currency: "usd", destination, metadata: {}, ...source });
  },
  reverse: (store, { which, amount }) => {
    reverseTransfer(store, pick(store.list("transfer", all), which).id, { amount, metadata: {} });
  },
  payOut: (store, { which, amount }) => {
    createPayout(store, { amount, currency: "usd" }, pick(accounts(store), which));
  },
  answerDispute: (store, { which, amount }) => {
    const uncategorized_text = amount % 2 ? "winning_evidence" : "losing_evidence";
    submitEvidence(store, pick(store.list("dispute", all), which).id, { uncategorized_text });
  },
  flipDispute: (store, { which }) => {
    flipDispute(store, pick(store.list("dispute", all), which).id);
  },
  wait: (store, { which }) => advanceClock(store, which * 7_200),
} satisfies Record<string, (store: Store, step: Omit<Step, "act">) => void>;

const cards = ["pm_card_visa", "pm_card_visa", "pm_card_createDispute", "pm_card_refundFail"];

function pay(store: Store, which: number, amount: number): void {
  const card = cardByPaymentMethod(pick(cards, which));
  const { body } = createIntent(store, { amount: amount + 50, currency: "usd", metadata: {} });
  const payer = { name: null, email: null };
  if (!card) throw new Error("No such card.");
  const { id } = body as { id: string };
  confirmIntent(store, id, { card, payer, expiry: { month: 1, year: 2030 } });
}

const seller = createAccountParams.parse(recipient);

/** Opens a store with two sellers' accounts. Payouts to the second seller's bank fail. */
function newStore(): Store {
  files += 1;
  const store = openStore(join(dataDir.path, `${files}.sqlite`));
  setClockAhead(0);
  for (const [index, failure] of [undefined, "no_account"].entries()) {
    const { id } = createAccount(store, seller).body as { id: string };
    store.saveBank(id, { id: `ba_${index}`, holder: "Ada", last4: "6789", failure });
    activate(store, findAccount(store, id));
  }
  return store;
}

function pick<T>(from: readonly T[], which: number): T {
  const found = from[which % from.length];
  if (found === undefined) throw new StripeApiError(400, { type: "api_error", message: "none" });
  return found;
}

const accounts = (store: Store) => store.list("v2.core.account", all).map(({ id }) => id);
const charges = (store: Store) => store.list("charge", all).filter(({ paid }) => paid);

/** Takes a step, and rolls it back if it fails, as the API would. */
function take(store: Store, { act, ...step }: Step): void {
  const run = () => acts[act](store, step);
  try {
    if (act === "wait") run();
    else store.transaction(run);
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
  }
}

function sum<T>(items: T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

/** Computes an account's balance from its payments, refunds, disputes, transfers and payouts. */
function expectedOf(store: Store, account: string): number {
  const isOwn = account === ownAccount;
  const transfers = store
    .list("transfer", all)
    .filter(({ destination }) => isOwn || destination === account);
  const moved = sum(transfers, ({ amount, amount_reversed }) => amount - amount_reversed);
  if (!isOwn) {
    const payouts = store.list("payout", { ...all, account });
    return moved - sum(payouts, ({ amount, status }) => (status === "failed" ? 0 : amount));
  }
  const refunds = store.list("refund", all);
  const refunded = sum(refunds, ({ amount, status }) => (status === "failed" ? 0 : amount));
  const lost = sum(store.list("dispute", all), lostBy);
  return sum(charges(store), netOf) - refunded - lost - moved;
}

function netOf({ amount }: Charge): number {
  return amount - Math.round(amount * 0.029) - 30;
}

/** Returns a dispute's cost: its amount unless the shop won, plus a fee for each withdrawal. */
function lostBy({ amount, status, balance_transactions: moves }: Dispute): number {
  const taken = moves.filter((move) => move.amount < 0).length;
  return (status === "won" ? 0 : amount) + taken * 1_500;
}

function differences(store: Store): [string, number][] {
  return [ownAccount, ...accounts(store)].flatMap((account) => {
    const [held] = store.balances(unixSeconds(), account);
    const difference = (held?.available ?? 0) + (held?.pending ?? 0) - expectedOf(store, account);
    return difference === 0 ? [] : [[account, difference] as [string, number]];
  });
}

const step = fc.record({
  act: fc.constantFrom(...(Object.keys(acts) as Step["act"][])),
  which: fc.nat(60),
  amount: fc.integer({ min: 1, max: 30_000 }),
});

test("random histories neither create nor lose a cent: every balance matches its account's movements", () => {
  const done = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const store = newStore();
      for (const one of steps) {
        take(store, one);
        expect(differences(store)).toEqual([]);
      }
      for (const account of accounts(store))
        for (const { available, pending } of store.balances(unixSeconds(), account))
          expect(available + pending).toBeGreaterThanOrEqual(0);
      for (const kind of ["refund", "transfer", "transfer_reversal", "dispute"] as const)
        if (store.list(kind, { limit: 1 }).length > 0) done.add(kind);
      for (const account of accounts(store))
        for (const { status } of store.list("payout", { ...all, account })) done.add(status);
      store.close();
    }),
    { numRuns: 25, seed: 20_261_123 },
  );
  expect([...done].sort()).toEqual(
    expect.arrayContaining([
      "dispute",
      "failed",
      "paid",
      "refund",
      "transfer",
      "transfer_reversal",
    ]),
  );
});

test("the money conservation check detects a surplus in a balance", () => {
  const store = newStore();
  take(store, { act: "pay", which: 0, amount: 10_000 });
  const [charge] = charges(store);
  const movement = { kind: "charge", amount: 1, currency: "usd", availableOn: 0 } as const;
  const { net } = addBalanceTransaction(store, { ...movement, source: charge?.id ?? "" });
  expect(differences(store)).toEqual([[ownAccount, net]]);
  store.close();
});
