import Stripe from "stripe";
import { expect, test } from "vitest";
import {
  onboard,
  onboardedAccount,
  onboardingLink,
  recipient,
} from "#sandbox/testing/control-sandbox.ts";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";
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

const exchanges: Exchange[] = [];
const shop = await startWebhookReceiver();
const sandbox = await sandboxForFile({ webhookUrl: shop.url });
const stripe = clientWith("sk_test_sandbox");

const order = {
  amount: 45_000,
  currency: "usd",
  metadata: { bookingId: "b-1" },
  receipt_email: "ada@example.com",
  allowed_payment_method_types: ["card"],
  statement_descriptor_suffix: "Laptop 1",
};

function clientWith(key: string): Stripe {
  const { hostname, port } = new URL(sandbox.url);
  const httpClient = Stripe.createFetchHttpClient(recordingFetch(exchanges));
  const at = { host: hostname, port, protocol: "http" } as const;
  return new Stripe(key, { ...at, httpClient, maxNetworkRetries: 0, telemetry: false });
}

async function pay(payment_method: string): Promise<string> {
  const { id } = await stripe.paymentIntents.create(order);
  await stripe.paymentIntents.confirm(id, { payment_method });
  return id;
}

/** Fails if a request or response of the call differs from Stripe's published description. */
async function expectPublished(call: () => Promise<unknown>): Promise<void> {
  exchanges.length = 0;
  await call();
  expect(exchanges.length).toBeGreaterThan(0);
  expect(exchanges.flatMap(differencesOfExchange)).toEqual([]);
}

const expectRefused = (status: number, call: () => Promise<unknown>) =>
  expectPublished(async () => {
    await expect(call()).rejects.toMatchObject({ statusCode: status });
    expect(exchanges.at(-1)?.status).toBe(status);
  });

const expand = ["latest_charge.refunds"];
const include = ["configuration.recipient", "defaults", "identity", "requirements"] as const;

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const upload = (data: Buffer, purpose = "dispute_evidence") =>
  stripe.files.create({ purpose, file: { data, name: "photos", type: "image/png" } });

async function contentsOf(id: string): Promise<Buffer> {
  const headers = { authorization: "Bearer sk_test_sandbox" };
  const answer = await fetch(`${sandbox.url}/v1/files/${id}/contents`, { headers });
  return Buffer.from(await answer.arrayBuffer());
}

async function transfer({ card = "pm_card_visa", accountNumber = "000123456789" } = {}) {
  const destination = await onboardedAccount(stripe, { accountNumber });
  const { latest_charge } = await stripe.paymentIntents.retrieve(await pay(card));
  const source = { source_transaction: String(latest_charge), transfer_group: destination };
  const to = { destination, metadata: { deal: "1" }, ...source };
  const { id } = await stripe.transfers.create({ amount: 40_000, currency: "usd", ...to });
  return { id, stripeAccount: destination };
}

async function disputeOf(payment_intent: string): Promise<string> {
  const [dispute] = (await stripe.disputes.list({ payment_intent })).data;
  return dispute?.id ?? "";
}

const calls: [string, () => Promise<unknown>][] = [
  [
    "confirming with 3-D Secure, canceling an intent and creating a delayed refund",
    async () => {
      await pay("pm_card_authenticationRequired");
      await stripe.paymentIntents.cancel((await stripe.paymentIntents.create(order)).id);
      await stripe.refunds.create({ payment_intent: await pay("pm_card_pendingRefund") });
    },
  ],
  [
    "changing, listing and deleting a webhook endpoint",
    async () => {
      const all = { url: shop.url, enabled_events: ["*" as const] };
      const { id } = await stripe.webhookEndpoints.create(all);
      await stripe.webhookEndpoints.update(id, { disabled: true });
      expect((await stripe.webhookEndpoints.list({ limit: 100 })).data).not.toEqual([]);
      await stripe.webhookEndpoints.del(id);
    },
  ],
  [
    "reading the balance and the payout schedule",
    async () => {
      await stripe.balanceSettings.retrieve();
      const before = await stripe.balance.retrieve();
      await pay("pm_card_visa");
      const { pending } = await stripe.balance.retrieve();
      expect((pending[0]?.amount ?? 0) - (before.pending[0]?.amount ?? 0)).toBe(45_000 - 1_335);
    },
  ],
  [
    "reading a failed refund and a won dispute, and listing their balance transactions with sources",
    async () => {
      const payment_intent = await pay("pm_card_refundFail");
      await stripe.refunds.create({ payment_intent });
      const read = () => stripe.paymentIntents.retrieve(payment_intent, { expand });
      const refunds = async () => ((await read()).latest_charge as Stripe.Charge).refunds?.data;
      await expect.poll(async () => (await refunds())?.[0]?.status).toBe("failed");
      const disputed = await disputeOf(await pay("pm_card_createDispute"));
      const evidence = { uncategorized_text: "winning_evidence" };
      await stripe.disputes.update(disputed, { evidence });
      const { data } = await stripe.balanceTransactions.list({
        created: { gte: 1_700_000_000 },
        limit: 100,
        expand: ["data.source"],
      });
      const listed = data.map(({ type, amount, fee }) => [type, amount, fee]);
      const moved = [
        ["charge", 45_000, 1_335],
        ["refund", -45_000, 0],
        ["refund_failure", 45_000, 0],
        ["adjustment", -45_000, 1_500],
        ["adjustment", 45_000, 0],
      ];
      expect(listed).toEqual(expect.arrayContaining(moved));
    },
  ],
  [
    "answering an inquiry and contesting a dispute",
    async () => {
      const inquiry = await disputeOf(await pay("pm_card_createDisputeInquiry"));
      const evidence = { uncategorized_text: "winning_evidence" };
      await stripe.disputes.update(inquiry, { evidence });
      const dispute = await disputeOf(await pay("pm_card_createDispute"));
      const words = { product_description: "A laptop", uncategorized_text: "Messages" };
      await stripe.disputes.update(dispute, { evidence: words, submit: true });
    },
  ],
  [
    "uploading a photo and submitting it as dispute evidence",
    async () => {
      const dispute = await disputeOf(await pay("pm_card_createDispute"));
      const { id, size, type } = await upload(picture);
      expect({ size, type }).toEqual({ size: picture.length, type: "png" });
      const evidence = { uncategorized_file: id };
      const answered = await stripe.disputes.update(dispute, { evidence });
      expect(answered.evidence).toMatchObject(evidence);
      expect(await contentsOf(id)).toEqual(picture);
    },
  ],
  [
    "creating a seller's account, and reading it before and after onboarding",
    async () => {
      const { accounts } = stripe.v2.core;
      const { id } = await accounts.create(recipient);
      await accounts.retrieve(id, { include: [...include] });
      await onboard(await onboardingLink(stripe, id));
      await accounts.retrieve(id, { include: [...include] });
      await accounts.close(id, { applied_configurations: ["recipient"] });
    },
  ],
  [
    "making, listing and partly reversing a transfer",
    async () => {
      const { id, stripeAccount } = await transfer();
      await stripe.transfers.createReversal(id, { amount: 1_000, metadata: { deal: "1" } });
      const { data } = await stripe.transfers.list({ transfer_group: stripeAccount });
      expect(data.map(({ amount_reversed }) => amount_reversed)).toEqual([1_000]);
      expect((await stripe.transfers.listReversals(id)).data).toHaveLength(1);
    },
  ],
  [
    "reading a seller's balance, balance transactions and payouts, also after the bank rejected one",
    async () => {
      const seller = await transfer();
      const closed = await transfer({ accountNumber: "000111111113" });
      await stripe.balance.retrieve({}, seller);
      await sandbox.advanceClock(8);
      const expandSource = { expand: ["data.source"] };
      const { data } = await stripe.balanceTransactions.list(expandSource, seller);
      expect(data.map(({ type }) => type)).toEqual(["payout", "payment"]);
      const payouts = await stripe.payouts.list({}, seller);
      expect(payouts.data.map(({ status }) => status)).toEqual(["paid"]);
      const failed = [{ status: "failed", failure_code: "account_closed" }];
      expect((await stripe.payouts.list({}, closed)).data).toMatchObject(failed);
      const { available } = await stripe.balance.retrieve({}, closed);
      expect(available[0]?.amount).toBe(40_000);
    },
  ],
  [
    "paying out a seller's balance before the daily payout",
    async () => {
      const seller = await transfer({ card: "pm_card_bypassPending" });
      await stripe.payouts.create({ amount: 1_000, currency: "usd" }, seller);
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
  [
    "listing events by type and creation time",
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

test.each(calls)("%s matches Stripe's published description", (_, call) => expectPublished(call));

const refused: [string, number, () => Promise<unknown>][] = [
  ["a declined card", 402, () => pay("pm_card_visa_chargeDeclined")],
  ["a missing parameter", 400, () => stripe.refunds.create({})],
  [
    "a file that is too large",
    400,
    () => upload(Buffer.concat([picture, Buffer.alloc(5_300_000)])),
  ],
  ["a file for an unsupported purpose", 400, () => upload(picture, "business_logo")],
  [
    "a seller's account without a country",
    400,
    () => stripe.v2.core.accounts.create({ ...recipient, identity: {} }),
  ],
  ["a wrong key", 401, () => clientWith("sk_test_other").events.list()],
];

test.each(refused)("%s is rejected as Stripe's description says", (_, status, call) =>
  expectRefused(status, call),
);

test("a call that the extract from Stripe's description lacks is reported as a difference", async () => {
  const [method, status, body] = ["POST", 400, "amount=1"];
  const answer = { error: { type: "invalid_request_error" } } as Exchange["answer"];
  for (const path of ["/v1/charges", "/v1/payment_intents/pi_1/capture", "/v1/refunds/re_1"]) {
    const url = new URL(path, "https://stripe.example");
    expect(differencesOfExchange({ method, url, body, status, answer })).toEqual([
      `POST ${path}: the extract does not have this call`,
    ]);
  }
});

test("a parameter that Stripe has removed is reported as a difference and rejected", async () => {
  const outdated = "amount=100&currency=usd&payment_method_types[0]=card";
  expect(differencesOfRequest("POST /v1/payment_intents", outdated)).toHaveLength(1);
  const params = { ...order, payment_method_types: ["card"] };
  await expect(stripe.paymentIntents.create(params)).rejects.toMatchObject({
    code: "parameter_unknown",
  });
});

test("the events of the calls above match Stripe's published description", async () => {
  const expected = [
    "charge.dispute.closed",
    "charge.failed",
    "payment_intent.canceled",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
    "refund.failed",
    "transfer.created",
    "transfer.reversed",
    "v1.payout.created",
    "v1.payout.failed",
    "v1.payout.paid",
    "v2.core.account[configuration.recipient].capability_status_updated",
    "v2.core.account[requirements].updated",
  ];
  const events = () => [...shop.events, ...shop.thinEvents];
  const missing = () => expected.filter((type) => !events().some((event) => event.type === type));
  await expect.poll(missing).toEqual([]);
  expect(events().flatMap(differencesOfEvent)).toEqual([]);
  for (const { type, context, related_object } of shop.thinEvents)
    if (type.startsWith("v2.core.account"))
      expect(related_object).toMatchObject({ id: context, type: "v2.core.account" });
});

test("the sandbox, Stripe's library and the published description have the same API version", () => {
  expect([API_VERSION, Stripe.API_VERSION]).toEqual([describedVersion, describedVersion]);
});

test("the comparison finds missing and unknown fields, wrong types, overlong text and unknown values", () => {
  const dispute = {
    object: "quarrel",
    amount: "1",
    colour: "red",
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
