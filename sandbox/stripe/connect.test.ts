import type Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { onboard } from "#sandbox/testing/onboarding.ts";
import { type RunningSandbox, startSandbox, temporaryDataDir } from "#sandbox/testing/sandbox.ts";
import { startWebhookReceiver } from "#sandbox/testing/webhook-receiver.ts";

let sandbox: RunningSandbox;
let stripe: Stripe;
const dataDir = await temporaryDataDir();
const shop = await startWebhookReceiver();

beforeAll(start);
afterEach(async () => await sandbox.control());
afterAll(async () => {
  await sandbox.end("SIGTERM");
  await dataDir.remove();
});

async function start(): Promise<void> {
  sandbox = await startSandbox(dataDir.path, { webhookUrl: shop.url });
  stripe = sandbox.stripe;
}

const currency = "usd";
const urls = {
  return_url: "http://127.0.0.1:1/payouts",
  refresh_url: "http://127.0.0.1:1/payouts/again",
};

async function newAccount(): Promise<string> {
  const stripe_balance = { stripe_transfers: { requested: true } };
  const { id } = await stripe.v2.core.accounts.create({
    contact_email: "ada@example.com",
    dashboard: "express",
    identity: { country: "us" },
    configuration: { recipient: { capabilities: { stripe_balance } } },
    defaults: {
      responsibilities: { fees_collector: "application", losses_collector: "application" },
    },
  });
  return id;
}

async function linkTo(account: string): Promise<string> {
  const use_case = { type: "account_onboarding" as const, account_onboarding: urls };
  return (await stripe.v2.core.accountLinks.create({ account, use_case })).url;
}

async function onboarded(accountNumber?: string): Promise<string> {
  const id = await newAccount();
  await onboard(await linkTo(id), accountNumber ? { accountNumber } : {});
  return id;
}

async function statusOf(id: string) {
  const account = await stripe.v2.core.accounts.retrieve(id, {
    include: ["configuration.recipient"],
  });
  const balance = account.configuration?.recipient?.capabilities?.stripe_balance;
  return [balance?.stripe_transfers?.status, balance?.payouts?.status];
}

async function pay(payment_method = "pm_card_visa"): Promise<Stripe.PaymentIntent> {
  const { id } = await stripe.paymentIntents.create({ amount: 45_000, currency });
  const expand = ["latest_charge.balance_transaction"];
  return await stripe.paymentIntents.confirm(id, { payment_method, expand });
}

async function paidCharge(payment_method?: string): Promise<Stripe.Charge> {
  return (await pay(payment_method)).latest_charge as Stripe.Charge;
}

const balanceOf = async (stripeAccount: string) => {
  const { available, pending } = await stripe.balance.retrieve({}, { stripeAccount });
  return [available[0]?.amount ?? 0, pending[0]?.amount ?? 0];
};

describe("the onboarding page", () => {
  test("an onboarding link opens the page once, and after that redirects to the shop", async () => {
    const link = await linkTo(await newAccount());
    expect(await onboard(link, { unfinished: true })).toBe(urls.return_url);
    expect(await onboard(link)).toBe(urls.refresh_url);
  });

  test("an expired onboarding link doesn't open the onboarding page", async () => {
    const id = await newAccount();
    const link = await linkTo(id);
    await sandbox.simulate("clock", { advanceSeconds: 301 });
    expect(await onboard(link)).toBe(urls.refresh_url);
    expect(await statusOf(id)).toEqual(["restricted", "restricted"]);
  });

  test("the onboarding page explains invalid input, keeps it in the form and changes nothing", async () => {
    const id = await newAccount();
    const opened = await fetch(await linkTo(id));
    expect(opened.headers.get("content-security-policy")).toContain("form-action 'self' http://");
    const form = { given_name: 'Ada "A"', surname: "<b>", routing_number: "1", terms: "yes" };
    const body = new URLSearchParams({ ...form, account_number: "1234", action: "finish" });
    const answer = await fetch(opened.url, { method: "POST", body, redirect: "manual" });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain("A routing number has 9 digits.");
    expect(page).toContain("Ada &#34;A&#34;");
    expect(page).not.toContain("<b>");
    expect(await statusOf(id)).toEqual(["restricted", "restricted"]);
  });

  test("an unknown onboarding link or session gets 404", async () => {
    for (const path of ["/stripe/onboarding/none", "/stripe/onboarding/session/none"])
      expect((await fetch(sandbox.url + path)).status).toBe(404);
  });

  test("a completed onboarding enables transfers and notifies the shop", async () => {
    const id = await onboarded();
    expect(await statusOf(id)).toEqual(["active", "active"]);
    const told = () => shop.thinEvents.filter(({ context }) => context === id);
    await expect.poll(() => told().map(({ type }) => type)).toHaveLength(2);
    expect(told()[0]).toMatchObject({ related_object: { id, type: "v2.core.account" } });
  });
});

describe("transfers", () => {
  test("a transfer stays pending until its source charge's funds are available", async () => {
    const destination = await onboarded();
    const { id: source_transaction } = await paidCharge();
    await stripe.transfers.create({ amount: 40_000, currency, destination, source_transaction });
    expect(await balanceOf(destination)).toEqual([0, 40_000]);
    await sandbox.simulate("capabilities", { account: destination, payouts: "restricted" });
    await sandbox.advanceClock(2);
    expect(await balanceOf(destination)).toEqual([40_000, 0]);
  });

  test("a transfer is available immediately if its source charge's funds are already available", async () => {
    const destination = await onboarded();
    await sandbox.simulate("capabilities", { account: destination, payouts: "restricted" });
    const { id: source_transaction, ...charge } = await paidCharge("pm_card_bypassPending");
    expect(charge.balance_transaction).toMatchObject({
      status: "available",
      available_on: charge.created,
    });
    await stripe.transfers.create({ amount: 40_000, currency, destination, source_transaction });
    expect(await balanceOf(destination)).toEqual([40_000, 0]);
  });

  test("a transfer without a source charge fails if the available balance is too small", async () => {
    const destination = await onboarded();
    const order = { amount: 99_999_999, currency, destination };
    await expect(stripe.transfers.create(order)).rejects.toMatchObject({
      code: "balance_insufficient",
    });
  });

  test("reusing an idempotency key after more than a day makes a new transfer", async () => {
    const destination = await onboarded();
    const { id: source_transaction } = await paidCharge();
    const order = { amount: 1_000, currency, destination, source_transaction };
    const key = { idempotencyKey: `old-${destination}` };
    const first = await stripe.transfers.create(order, key);
    expect((await stripe.transfers.create(order, key)).id).toBe(first.id);
    await sandbox.advanceClock(1.1);
    expect((await stripe.transfers.create(order, key)).id).not.toBe(first.id);
  });
});

describe("payouts", () => {
  test("a payout fails if the account isn't onboarded or its balance is too small", async () => {
    const stripeAccount = await newAccount();
    const payout = { amount: 100, currency };
    await expect(stripe.payouts.create(payout, { stripeAccount })).rejects.toMatchObject({
      code: "payouts_not_allowed",
    });
    await onboard(await linkTo(stripeAccount));
    await expect(stripe.payouts.create(payout, { stripeAccount })).rejects.toMatchObject({
      code: "balance_insufficient",
    });
  });

  test("money from a failed payout returns to the balance, and the bank account gets no further payouts", async () => {
    const destination = await onboarded("000111111113");
    const { id: source_transaction } = await paidCharge();
    await stripe.transfers.create({ amount: 40_000, currency, destination, source_transaction });
    await sandbox.advanceClock(8);
    const { data } = await stripe.payouts.list({}, { stripeAccount: destination });
    expect(data).toMatchObject([{ status: "failed", failure_code: "account_closed" }]);
    expect(await balanceOf(destination)).toEqual([40_000, 0]);
    const failures = () =>
      shop.thinEvents.filter(
        ({ type, context }) => type === "v1.payout.failed" && context === destination,
      );
    await expect.poll(failures).toHaveLength(1);
  });

  test("an account sees no other account's payouts, and an unknown account gets 403", async () => {
    const stripeAccount = await newAccount();
    expect((await stripe.payouts.list({}, { stripeAccount })).data).toEqual([]);
    const unknown = { stripeAccount: "acct_unknown" };
    await expect(stripe.balance.retrieve({}, unknown)).rejects.toMatchObject({
      ...{ statusCode: 403, code: "account_invalid" },
    });
  });
});

test("a won dispute can be lost later and won again, and the money moves each time", async () => {
  const { id: payment_intent } = await pay("pm_card_createDispute");
  const [dispute] = (await stripe.disputes.list({ payment_intent })).data;
  const id = dispute?.id ?? "";
  await stripe.disputes.update(id, { evidence: { uncategorized_text: "winning_evidence" } });
  for (const status of ["lost", "won"]) {
    await sandbox.simulate("disputes/flip", { id });
    expect(await stripe.disputes.retrieve(id)).toMatchObject({ status });
  }
  const { balance_transactions: moves } = await stripe.disputes.retrieve(id);
  expect(moves.map(({ amount }) => amount)).toEqual([-45_000, 45_000, -45_000, 45_000]);
  await expect
    .poll(() => shop.about(id).filter(({ type }) => type === "charge.dispute.closed"))
    .toHaveLength(3);
});

test("a refund can fail long after it succeeded", async () => {
  const { id } = await stripe.refunds.create({ payment_intent: (await pay()).id });
  await sandbox.advanceClock(10);
  await sandbox.simulate("refunds/fail", { id });
  const { refunds } = await sandbox.ledger();
  expect(refunds.find((refund) => refund.id === id)).toMatchObject({ status: "failed" });
  await expect.poll(() => shop.about(id).map(({ type }) => type)).toContain("refund.failed");
});

test("events about sellers' accounts can be sent twice and in reverse order", async () => {
  await sandbox.control({ webhook: { hold: true } });
  const id = await onboarded();
  await sandbox.control({ webhook: { copies: 2, newestFirst: true } });
  const told = () =>
    shop.thinEvents.filter(({ context }) => context === id).map(({ type }) => type);
  await expect.poll(told).toHaveLength(4);
  const [first, second, third] = told();
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  expect(first).toBe("v2.core.account[requirements].updated");
});

test("accounts, balances, bank accounts and the clock survive a crash", async () => {
  const destination = await onboarded();
  const { id: source_transaction } = await paidCharge();
  await stripe.transfers.create({ amount: 40_000, currency, destination, source_transaction });
  const now = async () => {
    const answer = await fetch(`${sandbox.url}/_control/clock`);
    return ((await answer.json()) as { now: number }).now;
  };
  await sandbox.advanceClock(1);
  const before = await now();
  await sandbox.end("SIGKILL");
  await start();
  expect(await now()).toBeGreaterThanOrEqual(before);
  await sandbox.advanceClock(6);
  const { data } = await stripe.payouts.list({}, { stripeAccount: destination });
  expect(data).toMatchObject([{ amount: 40_000, status: "paid" }]);
});
