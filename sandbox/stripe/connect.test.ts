import type Stripe from "stripe";
import { expect, test } from "vitest";
import {
  onboard,
  onboardedAccount,
  onboardingLink,
  onboardingUrls,
  recipient,
} from "#sandbox/testing/control-sandbox.ts";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";

const sandbox = await sandboxForFile();
const { stripe } = sandbox;
const currency = "usd";

async function newAccount(): Promise<string> {
  return (await stripe.v2.core.accounts.create(recipient)).id;
}

async function statusOf(id: string) {
  const account = await stripe.v2.core.accounts.retrieve(id, {
    include: ["configuration.recipient"],
  });
  const balance = account.configuration?.recipient?.capabilities?.stripe_balance;
  return [balance?.stripe_transfers?.status, balance?.payouts?.status];
}

async function paidCharge(payment_method = "pm_card_visa"): Promise<Stripe.Charge> {
  const { id } = await stripe.paymentIntents.create({ amount: 45_000, currency });
  const expand = ["latest_charge.balance_transaction"];
  const paid = await stripe.paymentIntents.confirm(id, { payment_method, expand });
  return paid.latest_charge as Stripe.Charge;
}

const balanceOf = async (stripeAccount: string) => {
  const { available, pending } = await stripe.balance.retrieve({}, { stripeAccount });
  return [available[0]?.amount ?? 0, pending[0]?.amount ?? 0];
};

test("an onboarding link opens the page only once and only for five minutes, and otherwise redirects to the shop", async () => {
  const id = await newAccount();
  const link = await onboardingLink(stripe, id);
  expect(await onboard(link, { unfinished: true })).toBe(onboardingUrls.return_url);
  expect(await onboard(link)).toBe(onboardingUrls.refresh_url);
  const expired = await onboardingLink(stripe, id);
  await sandbox.simulate("clock", { advanceSeconds: 301 });
  expect(await onboard(expired)).toBe(onboardingUrls.refresh_url);
  expect(await statusOf(id)).toEqual(["restricted", "restricted"]);
  for (const path of ["/stripe/onboarding/none", "/stripe/onboarding/session/none"])
    expect((await fetch(sandbox.url + path)).status).toBe(404);
});

test("the onboarding page explains invalid input, keeps it in the form and changes nothing", async () => {
  const id = await newAccount();
  const opened = await fetch(await onboardingLink(stripe, id));
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

test("a transfer is pending until its source charge's funds are available, and its idempotency key lasts a day", async () => {
  const destination = await onboardedAccount(stripe);
  await sandbox.simulate("capabilities", { account: destination, payouts: "restricted" });
  const order = { amount: 40_000, currency, destination };
  const early = await paidCharge("pm_card_bypassPending");
  expect(early.balance_transaction).toMatchObject({
    status: "available",
    available_on: early.created,
  });
  await stripe.transfers.create({ ...order, source_transaction: early.id });
  expect(await balanceOf(destination)).toEqual([40_000, 0]);

  const later = { ...order, amount: 1_000, source_transaction: (await paidCharge()).id };
  const key = { idempotencyKey: `old-${destination}` };
  const { id } = await stripe.transfers.create(later, key);
  expect((await stripe.transfers.create(later, key)).id).toBe(id);
  expect(await balanceOf(destination)).toEqual([40_000, 1_000]);
  await sandbox.advanceClock(1.1);
  expect((await stripe.transfers.create(later, key)).id).not.toBe(id);
  expect(await balanceOf(destination)).toEqual([40_000, 2_000]);
  await sandbox.advanceClock(1);
  expect(await balanceOf(destination)).toEqual([42_000, 0]);
});

test("payouts, and transfers without a source charge, can't exceed the available balance", async () => {
  const stripeAccount = await newAccount();
  const payout = { amount: 100, currency };
  await expect(stripe.payouts.create(payout, { stripeAccount })).rejects.toMatchObject({
    code: "payouts_not_allowed",
  });
  await onboard(await onboardingLink(stripe, stripeAccount));
  const short = { code: "balance_insufficient" };
  await expect(stripe.payouts.create(payout, { stripeAccount })).rejects.toMatchObject(short);
  const transfer = { amount: 99_999_999, currency, destination: stripeAccount };
  await expect(stripe.transfers.create(transfer)).rejects.toMatchObject(short);

  const other = { stripeAccount: await onboardedAccount(stripe) };
  const { id } = await paidCharge("pm_card_bypassPending");
  const funds = { amount: 40_000, currency, source_transaction: id };
  await stripe.transfers.create({ ...funds, destination: other.stripeAccount });
  await stripe.payouts.create(payout, other);
  expect((await stripe.payouts.list({}, other)).data).toHaveLength(1);
  expect((await stripe.payouts.list({}, { stripeAccount })).data).toEqual([]);
  const unknown = { stripeAccount: "acct_unknown" };
  await expect(stripe.balance.retrieve({}, unknown)).rejects.toMatchObject({
    statusCode: 403,
    code: "account_invalid",
  });
});
