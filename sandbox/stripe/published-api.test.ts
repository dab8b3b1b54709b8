import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onboard } from "#sandbox/testing/onboarding.ts";
import { type RunningSandbox, startSandbox, temporaryDataDir } from "#sandbox/testing/sandbox.ts";
import {
  describedVersion,
  differencesFrom,
  differencesOfEvent,
  differencesOfExchange,
  differencesOfRequest,
  type Exchange,
  recordingFetch,
} from "#sandbox/testing/stripe-openapi.ts";
import { startWebhookReceiver } from "#sandbox/testing/webhook-receiver.ts";
import { API_VERSION } from "./objects.ts";

let sandbox: RunningSandbox;
let stripe: Stripe;
const exchanges: Exchange[] = [];
const dataDir = await temporaryDataDir();
const shop = await startWebhookReceiver();

beforeAll(async () => {
  sandbox = await startSandbox(dataDir.path, { webhookUrl: shop.url });
  stripe = recordedClient("sk_test_sandbox");
});

afterAll(async () => {
  await sandbox.end("SIGTERM");
  shop.close();
  await dataDir.remove();
});

function recordedClient(key: string): Stripe {
  const { hostname, port } = new URL(sandbox.url);
  const httpClient = Stripe.createFetchHttpClient(recordingFetch(exchanges));
  const at = { host: hostname, port, protocol: "http" } as const;
  return new Stripe(key, { ...at, httpClient, maxNetworkRetries: 0, telemetry: false });
}

const order = {
  ...{ amount: 45_000, currency: "usd", metadata: { bookingId: "b-1" } },
  ...{ receipt_email: "ada@example.com", allowed_payment_method_types: ["card"] },
  statement_descriptor_suffix: "Laptop 1",
};

/** A paid intent. */
async function pay(payment_method: string): Promise<string> {
  const { id } = await stripe.paymentIntents.create(order);
  await stripe.paymentIntents.confirm(id, { payment_method });
  return id;
}

const expand = ["latest_charge.refunds"];
const endpoint = () => stripe.webhookEndpoints.create({ url: shop.url, enabled_events: ["*"] });

/** The calls that the shop makes (`server/adapters/cards`), those of its card form, and of the dashboard. */
const calls: [string, () => Promise<unknown>][] = [
  ["creating an intent", () => stripe.paymentIntents.create(order)],
  [
    "reading a paid intent with its charge and refunds",
    async () => {
      const id = await pay("pm_card_visa");
      await stripe.refunds.create({ payment_intent: id, amount: 1_000, reason: "duplicate" });
      return await stripe.paymentIntents.retrieve(id, { expand });
    },
  ],
  [
    "reading an intent whose card was declined",
    async () => {
      const { id } = await stripe.paymentIntents.create(order);
      const payment_method = "pm_card_visa_chargeDeclined";
      await stripe.paymentIntents.confirm(id, { payment_method }).catch(() => {});
      return await stripe.paymentIntents.retrieve(id, { expand });
    },
  ],
  ["confirming with 3-D Secure", () => pay("pm_card_authenticationRequired")],
  [
    "cancelling an intent",
    async () => stripe.paymentIntents.cancel((await stripe.paymentIntents.create(order)).id),
  ],
  [
    "refunding, with a delay",
    async () => stripe.refunds.create({ payment_intent: await pay("pm_card_pendingRefund") }),
  ],
  [
    "reading a payment method",
    async () => {
      const { payment_method } = await stripe.paymentIntents.retrieve(await pay("pm_card_amex"));
      return await stripe.paymentMethods.retrieve(String(payment_method));
    },
  ],
  [
    "changing, listing and deleting a webhook endpoint",
    async () => {
      const { id } = await endpoint();
      await stripe.webhookEndpoints.update(id, { disabled: true });
      expect((await stripe.webhookEndpoints.list({ limit: 100 })).data).not.toEqual([]);
      await stripe.webhookEndpoints.del(id);
    },
  ],
  [
    "listing refunds, one of which failed",
    async () => {
      const payment_intent = await pay("pm_card_refundFail");
      await stripe.refunds.create({ payment_intent });
      const list = () => stripe.refunds.list({ payment_intent });
      await expect.poll(async () => (await list()).data[0]?.status).toBe("failed");
    },
  ],
  [
    "listing disputes",
    async () => {
      const payment_intent = await pay("pm_card_createDispute");
      expect((await stripe.disputes.list({ payment_intent })).data).toHaveLength(1);
    },
  ],
  [
    "reading the balance",
    async () => {
      const before = await stripe.balance.retrieve();
      await pay("pm_card_visa");
      const { pending } = await stripe.balance.retrieve();
      expect((pending[0]?.amount ?? 0) - (before.pending[0]?.amount ?? 0)).toBe(45_000 - 1_335);
    },
  ],
  [
    "listing balance transactions with their sources: a payment, a refund that failed, and a dispute that was won",
    async () => {
      const payment_intent = await pay("pm_card_refundFail");
      await stripe.refunds.create({ payment_intent });
      const disputed = await pay("pm_card_createDispute");
      const [dispute] = (await stripe.disputes.list({ payment_intent: disputed })).data;
      const evidence = { uncategorized_text: "winning_evidence" };
      await stripe.disputes.update(dispute?.id ?? "", { evidence });
      const list = async () =>
        await stripe.balanceTransactions.list({
          created: { gte: 1_700_000_000 },
          limit: 100,
          expand: ["data.source"],
        });
      const kinds = async () =>
        (await list()).data.map(({ type, amount, fee }) => [type, amount, fee]);
      const moved = [
        ["charge", 45_000, 1_335],
        ["refund", -45_000, 0],
        ["refund_failure", 45_000, 0],
        ["adjustment", -45_000, 1_500],
        ["adjustment", 45_000, 0],
      ];
      await expect.poll(kinds).toEqual(expect.arrayContaining(moved));
    },
  ],
  [
    "answering an inquiry",
    async () => {
      const payment_intent = await pay("pm_card_createDisputeInquiry");
      const [inquiry] = (await stripe.disputes.list({ payment_intent })).data;
      const evidence = { uncategorized_text: "winning_evidence" };
      await stripe.disputes.update(inquiry?.id ?? "", { evidence });
    },
  ],
  [
    "listing events of some types since a time",
    async () => {
      const types = ["charge.refunded", "charge.dispute.created", "refund.failed"];
      const listed = await stripe.events.list({
        types,
        limit: 50,
        created: { gte: 1_700_000_000 },
      });
      expect(new Set<string>(listed.data.map(({ type }) => type))).toEqual(new Set(types));
    },
  ],
];

test.each(calls)("%s is asked and answered as Stripe publishes it", async (_, call) => {
  exchanges.length = 0;
  await call();
  expect(exchanges.length).toBeGreaterThan(0);
  expect(exchanges.flatMap(differencesOfExchange)).toEqual([]);
});

/** A seller's account whose onboarding is finished. */
async function newAccount(): Promise<string> {
  const { id } = await stripe.v2.core.accounts.create(recipient);
  await onboard(sandbox.url, await linkTo(id));
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

/** A transfer of a payment, to an account whose bank takes the money. */
async function transfer(): Promise<Stripe.Transfer> {
  const destination = await newAccount();
  const { latest_charge } = await stripe.paymentIntents.retrieve(await pay("pm_card_visa"));
  const source = { source_transaction: String(latest_charge), transfer_group: "deal-1" };
  const metadata = { deal: "1" };
  const order = { amount: 40_000, currency: "usd", destination, metadata, ...source };
  return await stripe.transfers.create(order);
}

const connectCalls: [string, () => Promise<unknown>][] = [
  [
    "creating a seller's account, and reading it before and after the onboarding",
    async () => {
      const { id } = await stripe.v2.core.accounts.create(recipient);
      await stripe.v2.core.accounts.retrieve(id, { include: [...include] });
      await onboard(sandbox.url, await linkTo(id));
      await stripe.v2.core.accounts.retrieve(id, { include: [...include] });
      await stripe.v2.core.accounts.close(id, { applied_configurations: ["recipient"] });
    },
  ],
  [
    "transferring, listing and reversing in part",
    async () => {
      const { id, destination } = await transfer();
      await stripe.transfers.createReversal(id, { amount: 1_000, metadata: { deal: "1" } });
      const { data } = await stripe.transfers.list({ destination: String(destination) });
      expect(data.map(({ amount_reversed }) => amount_reversed)).toEqual([1_000]);
      await stripe.transfers.retrieve(id);
      expect((await stripe.transfers.listReversals(id)).data).toHaveLength(1);
    },
  ],
  [
    "reading a seller's balance, its transactions and payouts",
    async () => {
      const stripeAccount = String((await transfer()).destination);
      await stripe.balance.retrieve({}, { stripeAccount });
      await advance(5);
      const { data } = await stripe.balanceTransactions.list(
        { expand: ["data.source"] },
        { stripeAccount },
      );
      expect(data.map(({ type }) => type)).toEqual(["payout", "payment"]);
      const payouts = await stripe.payouts.list({}, { stripeAccount });
      expect(payouts.data.map(({ status }) => status)).toEqual(["paid"]);
      await stripe.payouts.retrieve(payouts.data[0]?.id ?? "", {}, { stripeAccount });
    },
  ],
  [
    "paying out the shop's own balance",
    async () => {
      await pay("pm_card_visa");
      await advance(3);
      await stripe.payouts.create({ amount: 1_000, currency: "usd" });
    },
  ],
  [
    "submitting evidence, and accepting a dispute",
    async () => {
      const disputed = [await pay("pm_card_createDispute"), await pay("pm_card_createDispute")];
      const [first, second] = await Promise.all(
        disputed.map(async (payment_intent) => {
          return (await stripe.disputes.list({ payment_intent })).data[0]?.id ?? "";
        }),
      );
      const evidence = { product_description: "A laptop", uncategorized_text: "Messages" };
      await stripe.disputes.update(first ?? "", { evidence, submit: true });
      await stripe.disputes.close(second ?? "");
    },
  ],
  [
    "creating, changing, listing and deleting an event destination",
    async () => {
      const { eventDestinations } = stripe.v2.core;
      const { id } = await eventDestinations.create({
        ...{ name: "Sellers", type: "webhook_endpoint", event_payload: "thin" },
        ...{ enabled_events: ["v1.payout.paid"], events_from: ["@accounts"] },
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

async function advance(days: number): Promise<void> {
  await fetch(`${sandbox.url}/_control/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advanceSeconds: days * 24 * 60 * 60 }),
  });
}

test.each(connectCalls)("%s is asked and answered as Stripe publishes it", async (_, call) => {
  exchanges.length = 0;
  await call();
  expect(exchanges.length).toBeGreaterThan(0);
  expect(exchanges.flatMap(differencesOfExchange)).toEqual([]);
});

const refused: [string, number, () => Promise<unknown>][] = [
  ["an intent that does not exist", 404, () => stripe.paymentIntents.retrieve("pi_unknown")],
  ["a declined card", 402, () => pay("pm_card_visa_chargeDeclined")],
  ["a parameter that is missing", 400, () => stripe.refunds.create({})],
  [
    "a second refund",
    400,
    async () => {
      const payment_intent = await pay("pm_card_visa");
      await stripe.refunds.create({ payment_intent });
      await stripe.refunds.create({ payment_intent });
    },
  ],
  [
    "a refund of a disputed payment",
    400,
    async () => stripe.refunds.create({ payment_intent: await pay("pm_card_createDispute") }),
  ],
  [
    "a transfer to an account that can't receive it",
    400,
    async () => {
      const { id: destination } = await stripe.v2.core.accounts.create(recipient);
      await stripe.transfers.create({ amount: 100, currency: "usd", destination });
    },
  ],
  ["a seller's account that does not exist", 404, () => stripe.v2.core.accounts.retrieve("acct_0")],
  [
    "a seller's account without a country",
    400,
    () => stripe.v2.core.accounts.create({ ...recipient, identity: {} }),
  ],
  ["another key", 401, () => recordedClient("sk_test_other").events.list()],
];

test.each(refused)("%s is refused as Stripe publishes it", async (_, status, call) => {
  exchanges.length = 0;
  await expect(call()).rejects.toMatchObject({ statusCode: status });
  expect(exchanges.at(-1)?.status).toBe(status);
  expect(exchanges.flatMap(differencesOfExchange)).toEqual([]);
});

test("a call that the extract does not have is a difference", async () => {
  const [method, status, body] = ["POST", 400, "amount=1"];
  const answer = { error: { type: "invalid_request_error" } } as Exchange["answer"];
  for (const path of ["/v1/charges", "/v1/payment_intents/pi_1/capture", "/v1/refunds/re_1"]) {
    const url = new URL(path, "https://stripe.example");
    expect(differencesOfExchange({ method, url, body, status, answer })).toEqual([
      `POST ${path}: the extract does not have this call`,
    ]);
  }
});

test("a parameter that Stripe no longer has is a difference, and refused", async () => {
  const outdated = "amount=100&currency=usd&payment_method_types[0]=card";
  expect(differencesOfRequest("POST /v1/payment_intents", outdated)).toHaveLength(1);
  const params = { ...order, payment_method_types: ["card"] };
  await expect(stripe.paymentIntents.create(params)).rejects.toMatchObject({
    code: "parameter_unknown",
  });
});

test("every event is sent as Stripe publishes it", async () => {
  const expected = [
    ...["charge.dispute.closed", "charge.failed", "payment_intent.canceled"],
    ...["charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated"],
    ...["transfer.created", "transfer.reversed", "payout.created"],
  ];
  const sent = () => new Set<string>(shop.events.map(({ type }) => type));
  await expect.poll(() => expected.filter((type) => !sent().has(type))).toEqual([]);
  await expect.poll(() => sent().has("refund.failed")).toBe(true);
  expect(shop.events.flatMap(differencesOfEvent)).toEqual([]);
  const thin = new Set(shop.thinEvents.map(({ type }) => type));
  for (const type of [
    "v2.core.account[configuration.recipient].capability_status_updated",
    "v2.core.account[requirements].updated",
    "v1.payout.paid",
  ])
    expect(thin).toContain(type);
  expect(shop.thinEvents.flatMap(differencesOfEvent)).toEqual([]);
});

test("sandbox, library and description have the same version", () => {
  expect([API_VERSION, Stripe.API_VERSION]).toEqual([describedVersion, describedVersion]);
});

test("a difference is found: a field that is missing, unknown, of another type, too long, or an unknown word", () => {
  const dispute = {
    ...{ object: "quarrel", amount: "1", colour: "red" },
    reason: "x".repeat(5_001),
  };
  const found = differencesFrom("dispute", dispute).join("\n");
  for (const difference of [
    /must have required property 'charge'/,
    /must NOT have additional properties .*colour/,
    /^\/amount must be integer/m,
    /^\/reason must NOT have more than 5000 characters/m,
    /^\/object must be equal to one of the allowed values/m,
  ])
    expect(found).toMatch(difference);
  expect(differencesOfRequest("GET /v1/disputes", "limit=ten&color=red")).toHaveLength(2);
});
