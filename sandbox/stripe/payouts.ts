import { balanceCapabilities, findAccount, requireBank } from "./accounts.ts";
import { addBalanceTransaction, balanceOf } from "./balance.ts";
import { nowMs, unixSeconds } from "./clock.ts";
import { type ApiResponse, invalidRequest } from "./errors.ts";
import { newId } from "./new-objects.ts";
import type { Payout, ThinEvent } from "./objects.ts";
import type { Store } from "./store.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;

type WantedPayout = { amount: number; currency: string };

/** Pays out `amount` without waiting for the daily payout. */
export function createPayout(store: Store, wanted: WantedPayout, account: string): ApiResponse {
  const { amount, currency } = wanted;
  if (amount < 1) throw invalidRequest("Invalid positive integer", { param: "amount" });
  const bank = bankForPayouts(store, account);
  if (!bank)
    throw invalidRequest("Payouts are not allowed for this account.", {
      code: "payouts_not_allowed",
    });
  if (balanceOf(store, currency, account).available < amount)
    throw invalidRequest(
      "You have insufficient funds in your Stripe account for this transfer. Your card balance is too low.",
      { code: "balance_insufficient" },
    );
  const order = { ...wanted, account, destination: bank.id, automatic: false };
  return { status: 200, body: payOut(store, order) };
}

function bankForPayouts(store: Store, account: string) {
  const { payouts } = balanceCapabilities(findAccount(store, account));
  return payouts?.status === "active" ? store.bankOf(account) : undefined;
}

type Order = WantedPayout & { account: string; destination: string; automatic: boolean };

function payOut(store: Store, { account, ...order }: Order): Payout {
  const payout = newPayout(order);
  const { amount, currency, id: source } = payout;
  const moved = { kind: "payout", amount: -amount, currency, source, account } as const;
  const made = { ...payout, balance_transaction: addBalanceTransaction(store, moved).id };
  save(store, made, { account, type: "v1.payout.created" });
  store.schedule(made.id, nowMs() + hour);
  return made;
}

const arrivalSeconds = 2 * 24 * 60 * 60;

type PayoutDetails = Pick<Payout, "amount" | "currency" | "automatic" | "destination">;

/** `amount` is in the currency's smallest unit. */
function newPayout(details: PayoutDetails): Payout {
  return {
    id: newId("po"),
    object: "payout",
    ...details,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: unixSeconds() + arrivalSeconds,
    balance_transaction: null,
    created: unixSeconds(),
    description: details.automatic ? "STRIPE PAYOUT" : null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: "standard",
    original_payout: null,
    payout_method: null,
    reconciliation_status: details.automatic ? "in_progress" : "not_applicable",
    reversed_by: null,
    source_type: "card",
    statement_descriptor: null,
    status: "pending",
    trace_id: null,
    type: "bank_account",
  };
}

type Saved = { account: string; type: ThinEvent["type"] };

function save(store: Store, payout: Payout, { account, type }: Saved): void {
  store.put(payout, account);
  const related = { id: payout.id, type: "payout", url: `/v1/payouts/${payout.id}` };
  store.saveThinEvent(type, { account, related });
}

/** Makes the day's payouts, and advances earlier ones. Returns false if nothing was due. */
export function runPayouts(store: Store): boolean {
  const [due, isNewDay] = [store.listDue("payout", nowMs()), today() > store.readSetting(lastRun)];
  if (due.length === 0 && !isNewDay) return false;
  store.transaction(() => {
    for (const id of due) advance(store, id);
    if (isNewDay) payOutAll(store);
  });
  return true;
}

const lastRun = "day_of_last_payouts";

function today(): number {
  return Math.floor(nowMs() / day);
}

/** Pays out the sellers' available balances, like Stripe's automatic daily payouts. */
function payOutAll(store: Store): void {
  store.writeSetting(lastRun, today());
  for (const account of store.accountsWithBank()) {
    const destination = bankForPayouts(store, account)?.id;
    if (destination === undefined) continue;
    for (const { currency, available: amount } of store.balances(unixSeconds(), account))
      if (amount > 0) payOut(store, { account, amount, currency, destination, automatic: true });
  }
}

/** Sends a payout to the bank after an hour. Completes or fails it two days after its creation. */
function advance(store: Store, id: string): void {
  store.unschedule(id);
  const payout = store.find("payout", id);
  if (!payout) return;
  const account = store.accountOf(id);
  if (payout.status === "pending") {
    save(store, { ...payout, status: "in_transit" }, { account, type: "v1.payout.updated" });
    store.schedule(id, Math.max(nowMs(), payout.arrival_date * 1000));
    return;
  }
  const failure = store.findBank(payout.destination)?.failure;
  if (failure === undefined)
    save(store, { ...payout, status: "paid" }, { account, type: "v1.payout.paid" });
  else fail(store, payout, { account, failure });
}

/** Returns the money to the balance, and stops payouts to this bank account. */
function fail(
  store: Store,
  payout: Payout,
  { account, failure }: { account: string; failure: string },
): void {
  const { amount, currency, id: source } = payout;
  const back = { kind: "payout_failure", amount, currency, source, account } as const;
  const failed: Payout = {
    ...payout,
    failure_balance_transaction: addBalanceTransaction(store, back).id,
    failure_code: failure,
    failure_message: `The bank could not process this payout (${failure}).`,
    status: "failed",
  };
  save(store, failed, { account, type: "v1.payout.failed" });
  requireBank(store, findAccount(store, account));
}
