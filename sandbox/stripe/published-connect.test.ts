import type Stripe from "stripe";
import { expect, test } from "vitest";
import { onboard } from "#sandbox/testing/onboarding.ts";
import { recordedSandbox } from "#sandbox/testing/recorded-sandbox.ts";
import { differencesOfEvent } from "#sandbox/testing/stripe-openapi.ts";

const { sandbox, shop, stripe, pay, expectPublished, expectRefused } = await recordedSandbox();

async function newAccount(): Promise<string> {
  const { id } = await stripe.v2.core.accounts.create(recipient);
  await onboard(await linkTo(id));
  return id;
}

const urls = { return_url: "http://127.0.0.1:1/", refresh_url: "http://127.0.0.1:1/again" };

async function linkTo(account: string): Promise<string> {
  const use_case = { type: "account_onboarding" as const, account_onboarding: urls };
  return (await stripe.v2.core.accountLinks.create({ account, use_case })).url;
}

const include = ["configuration.recipient", "defaults", "identity", "requirements"] as const;

const recipient: Stripe.V2.Core.AccountCreateParams = {
  contact_email: "ada@example.com",
  dashboard: "express",
  identity: { country: "us" },
  configuration: {
    recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
  },
  defaults: {
    responsibilities: { fees_collector: "application", losses_collector: "application" },
  },
  include: [...include],
};

async function transfer(card = "pm_card_visa"): Promise<Stripe.Transfer> {
  const destination = await newAccount();
  const { latest_charge } = await stripe.paymentIntents.retrieve(await pay(card));
  const source = { source_transaction: String(latest_charge), transfer_group: destination };
  const metadata = { deal: "1" };
  const order = { amount: 40_000, currency: "usd", destination, metadata, ...source };
  return await stripe.transfers.create(order);
}

const calls: [string, () => Promise<unknown>][] = [
  [
    "creating a seller's account and reading it before and after onboarding",
    async () => {
      const { id } = await stripe.v2.core.accounts.create(recipient);
      await stripe.v2.core.accounts.retrieve(id, { include: [...include] });
      await onboard(await linkTo(id));
      await stripe.v2.core.accounts.retrieve(id, { include: [...include] });
      await stripe.v2.core.accounts.close(id, { applied_configurations: ["recipient"] });
    },
  ],
  [
    "making, listing and partly reversing a transfer",
    async () => {
      const { id, transfer_group } = await transfer();
      await stripe.transfers.createReversal(id, { amount: 1_000, metadata: { deal: "1" } });
      const { data } = await stripe.transfers.list({ transfer_group: String(transfer_group) });
      expect(data.map(({ amount_reversed }) => amount_reversed)).toEqual([1_000]);
      expect((await stripe.transfers.listReversals(id)).data).toHaveLength(1);
    },
  ],
  [
    "reading a seller's balance, balance transactions and payouts",
    async () => {
      const stripeAccount = String((await transfer()).destination);
      await stripe.balance.retrieve({}, { stripeAccount });
      await sandbox.advanceClock(5);
      const { data } = await stripe.balanceTransactions.list(
        { expand: ["data.source"] },
        { stripeAccount },
      );
      expect(data.map(({ type }) => type)).toEqual(["payout", "payment"]);
      const payouts = await stripe.payouts.list({}, { stripeAccount });
      expect(payouts.data.map(({ status }) => status)).toEqual(["paid"]);
    },
  ],
  [
    "paying out a seller's balance before the daily payout",
    async () => {
      const stripeAccount = String((await transfer("pm_card_bypassPending")).destination);
      await stripe.payouts.create({ amount: 1_000, currency: "usd" }, { stripeAccount });
    },
  ],
  [
    "contesting a dispute",
    async () => {
      const payment_intent = await pay("pm_card_createDispute");
      const [dispute] = (await stripe.disputes.list({ payment_intent })).data;
      const evidence = { product_description: "A laptop", uncategorized_text: "Messages" };
      await stripe.disputes.update(dispute?.id ?? "", { evidence, submit: true });
    },
  ],
  [
    "creating, changing, listing and deleting an event destination",
    async () => {
      const { eventDestinations } = stripe.v2.core;
      const { id } = await eventDestinations.create({
        name: "Sellers",
        type: "webhook_endpoint",
        event_payload: "thin",
        enabled_events: ["v1.payout.paid"],
        events_from: ["@accounts"],
        webhook_endpoint: { url: shop.url },
        include: ["webhook_endpoint.signing_secret"],
      });
      await eventDestinations.update(id, { enabled_events: ["v1.payout.failed"] });
      await eventDestinations.enable(id);
      await eventDestinations.list({ include: ["webhook_endpoint.url"] });
      await eventDestinations.del(id);
    },
  ],
];

test.each(calls)("%s matches Stripe's published description", (_, call) => expectPublished(call));

test("creating a seller's account without a country fails with a 400, as in Stripe's description", () =>
  expectRefused(400, () => stripe.v2.core.accounts.create({ ...recipient, identity: {} })));

test("every event about sellers' accounts matches Stripe's published description", async () => {
  const expected = [
    "transfer.created",
    "transfer.reversed",
    "v1.payout.created",
    "v2.core.account[configuration.recipient].capability_status_updated",
    "v2.core.account[requirements].updated",
    "v1.payout.paid",
  ];
  const events = () => [...shop.events, ...shop.thinEvents];
  const missing = () => expected.filter((type) => !events().some((event) => event.type === type));
  await expect.poll(missing).toEqual([]);
  expect(events().flatMap(differencesOfEvent)).toEqual([]);
});
