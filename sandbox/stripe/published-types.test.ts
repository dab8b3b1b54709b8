import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSandbox, startSandbox, temporaryDataDir } from "#sandbox/testing/sandbox.ts";
import { differences } from "#sandbox/testing/stripe-types.ts";
import { startWebhookReceiver } from "#sandbox/testing/webhook-receiver.ts";

let sandbox: RunningSandbox;
let stripe: Stripe;
const dataDir = await temporaryDataDir();
const shop = await startWebhookReceiver();

beforeAll(async () => {
  sandbox = await startSandbox(dataDir.path, { webhookUrl: shop.url });
  stripe = sandbox.stripe;
});

afterAll(async () => {
  await sandbox.end("SIGTERM");
  shop.close();
  await dataDir.remove();
});

const order = {
  ...{ amount: 45_000, currency: "usd", metadata: { bookingId: "b-1" } },
  ...{ receipt_email: "ada@example.com", payment_method_types: ["card"] },
  statement_descriptor_suffix: "Laptop 1",
};

/** A paid intent. */
async function pay(payment_method: string): Promise<string> {
  const { id } = await stripe.paymentIntents.create(order);
  await stripe.paymentIntents.confirm(id, { payment_method });
  return id;
}

const expand = ["latest_charge.refunds"];

/** The calls that the shop makes (`server/adapters/cards`), and those of its card form. */
const calls: [string, () => Promise<unknown>, resource: string, type: string][] = [
  [
    "creating an intent",
    () => stripe.paymentIntents.create(order),
    "PaymentIntents",
    "PaymentIntent",
  ],
  [
    "reading a paid intent with its charge and refunds",
    async () => {
      const id = await pay("pm_card_visa");
      await stripe.refunds.create({ payment_intent: id, amount: 1_000 });
      return await stripe.paymentIntents.retrieve(id, { expand });
    },
    ...["PaymentIntents", "PaymentIntent"],
  ],
  [
    "reading an intent whose card was declined",
    async () => {
      const { id } = await stripe.paymentIntents.create(order);
      const payment_method = "pm_card_visa_chargeDeclined";
      await stripe.paymentIntents.confirm(id, { payment_method }).catch(() => {});
      return await stripe.paymentIntents.retrieve(id, { expand });
    },
    ...["PaymentIntents", "PaymentIntent"],
  ],
  [
    "confirming with 3-D Secure",
    async () => {
      const { id } = await stripe.paymentIntents.create(order);
      const payment_method = "pm_card_authenticationRequired";
      return await stripe.paymentIntents.confirm(id, { payment_method });
    },
    ...["PaymentIntents", "PaymentIntent"],
  ],
  [
    "cancelling an intent",
    async () => stripe.paymentIntents.cancel((await stripe.paymentIntents.create(order)).id),
    ...["PaymentIntents", "PaymentIntent"],
  ],
  [
    "refunding",
    async () => stripe.refunds.create({ payment_intent: await pay("pm_card_visa") }),
    ...["Refunds", "Refund"],
  ],
  [
    "refunding with a delay",
    async () => stripe.refunds.create({ payment_intent: await pay("pm_card_pendingRefund") }),
    ...["Refunds", "Refund"],
  ],
  [
    "reading a payment method",
    async () => {
      const { payment_method } = await stripe.paymentIntents.retrieve(await pay("pm_card_amex"));
      return await stripe.paymentMethods.retrieve(String(payment_method));
    },
    ...["PaymentMethods", "PaymentMethod"],
  ],
  [
    "creating a webhook endpoint",
    () => stripe.webhookEndpoints.create({ url: shop.url, enabled_events: ["charge.refunded"] }),
    ...["WebhookEndpoints", "WebhookEndpoint"],
  ],
  [
    "changing a webhook endpoint",
    async () => {
      const { id } = await stripe.webhookEndpoints.create({ url: shop.url, enabled_events: ["*"] });
      return await stripe.webhookEndpoints.update(id, { disabled: true });
    },
    ...["WebhookEndpoints", "WebhookEndpoint"],
  ],
  [
    "deleting a webhook endpoint",
    async () => {
      const { id } = await stripe.webhookEndpoints.create({ url: shop.url, enabled_events: ["*"] });
      return await stripe.webhookEndpoints.del(id);
    },
    ...["WebhookEndpoints", "DeletedWebhookEndpoint"],
  ],
] as never;

test.each(calls)("%s is answered as Stripe publishes it", async (_, call, resource, type) => {
  expect(differences(JSON.parse(JSON.stringify(await call())), resource, type)).toEqual([]);
});

const lists: [string, () => Promise<Stripe.ApiList<object>>, resource: string, type: string][] = [
  [
    "refunds, one of which failed",
    async () => {
      const payment_intent = await pay("pm_card_refundFail");
      await stripe.refunds.create({ payment_intent });
      const list = () => stripe.refunds.list({ payment_intent });
      await expect.poll(async () => (await list()).data[0]?.status).toBe("failed");
      return await list();
    },
    ...["Refunds", "Refund"],
  ],
  [
    "disputes",
    async () => stripe.disputes.list({ payment_intent: await pay("pm_card_createDispute") }),
    ...["Disputes", "Dispute"],
  ],
  [
    "inquiries that were answered",
    async () => {
      const payment_intent = await pay("pm_card_createDisputeInquiry");
      const [inquiry] = (await stripe.disputes.list({ payment_intent })).data;
      const evidence = { uncategorized_text: "winning_evidence" };
      await stripe.disputes.update(inquiry?.id ?? "", { evidence });
      return await stripe.disputes.list({ payment_intent });
    },
    ...["Disputes", "Dispute"],
  ],
  [
    "webhook endpoints",
    () => stripe.webhookEndpoints.list(),
    "WebhookEndpoints",
    "WebhookEndpoint",
  ],
] as never;

test.each(lists)(
  "a list of %s is answered as Stripe publishes it",
  async (_, call, resource, type) => {
    const { data, object, has_more, url } = await call();
    expect({ object, has_more, url }).toEqual({
      ...{
        object: "list",
        has_more: expect.any(Boolean),
        url: expect.stringMatching(/^\/v1\/\w+$/),
      },
    });
    expect(data.length).toBeGreaterThan(0);
    for (const one of data)
      expect(differences(JSON.parse(JSON.stringify(one)), resource, type)).toEqual([]);
  },
);

test("events of some types are listed as Stripe publishes them", async () => {
  const types = ["charge.refunded", "charge.dispute.created", "refund.failed"];
  const { data } = await stripe.events.list({ types, limit: 100 });
  expect(new Set<string>(data.map(({ type }) => type))).toEqual(new Set(types));
  for (const event of data) expect(differencesOf(event)).toEqual([]);
});

test("every event is sent as Stripe publishes it", async () => {
  const expected = ["charge.dispute.closed", "charge.failed", "payment_intent.canceled"];
  const sent = () => new Set<string>(shop.events.map(({ type }) => type));
  await expect.poll(() => expected.filter((type) => !sent().has(type))).toEqual([]);
  await expect.poll(() => sent().has("refund.failed")).toBe(true);
  for (const event of shop.events) expect(differencesOf(event)).toEqual([]);
});

/** `charge.dispute.created` is declared as `ChargeDisputeCreatedEvent`. */
function differencesOf(event: Stripe.Event): string[] {
  const words = event.type.split(/[._]/);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return differences(JSON.parse(JSON.stringify(event)), "Events", `${name}Event`);
}

test("a difference is found: a field that is missing, unknown, of another type, or an unknown word", () => {
  const endpoint = {
    ...{ id: "we_1", object: "webhook_endpoint", api_version: null, application: null },
    ...{ created: "now", enabled_events: [], livemode: false, metadata: {}, colour: "red" },
    ...{ description: null, status: "enabled" },
  };
  expect(differences(endpoint, "WebhookEndpoints", "WebhookEndpoint").toSorted()).toEqual([
    "WebhookEndpoint.colour is not documented",
    'WebhookEndpoint.created is "now"',
    "WebhookEndpoint.url is missing",
  ]);
  expect(differences("lost in the post", "Disputes", "Dispute")).toEqual([
    'Dispute is "lost in the post"',
  ]);
});
