import Stripe from "stripe";
import { expect, test } from "vitest";
import { order, recordedSandbox } from "#sandbox/testing/recorded-sandbox.ts";
import {
  describedVersion,
  differencesFrom,
  differencesOfEvent,
  differencesOfExchange,
  differencesOfRequest,
  type Exchange,
} from "#sandbox/testing/stripe-openapi.ts";
import { API_VERSION } from "./objects.ts";

const { sandbox, shop, stripe, clientWith, pay, expectPublished, expectRefused } =
  await recordedSandbox();

const expand = ["latest_charge.refunds"];
const endpoint = () => stripe.webhookEndpoints.create({ url: shop.url, enabled_events: ["*"] });

/** A one-pixel image. */
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

/** Calls that the tests in `server/adapters/cards` don't check. */
const calls: [string, () => Promise<unknown>][] = [
  ["confirming with 3-D Secure", () => pay("pm_card_authenticationRequired")],
  [
    "canceling an intent",
    async () => stripe.paymentIntents.cancel((await stripe.paymentIntents.create(order)).id),
  ],
  [
    "creating a delayed refund",
    async () => stripe.refunds.create({ payment_intent: await pay("pm_card_pendingRefund") }),
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
    "reading a failed refund",
    async () => {
      const payment_intent = await pay("pm_card_refundFail");
      await stripe.refunds.create({ payment_intent });
      const read = () => stripe.paymentIntents.retrieve(payment_intent, { expand });
      const refunds = async () => ((await read()).latest_charge as Stripe.Charge).refunds?.data;
      await expect.poll(async () => (await refunds())?.[0]?.status).toBe("failed");
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
  ["reading the payout schedule", () => stripe.balanceSettings.retrieve()],
  [
    "listing balance transactions with their sources (a payment, a failed refund and a won dispute)",
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
    "uploading a photo and submitting it as dispute evidence",
    async () => {
      const payment_intent = await pay("pm_card_createDispute");
      const [dispute] = (await stripe.disputes.list({ payment_intent })).data;
      const { id, size, type } = await upload(picture);
      expect({ size, type }).toEqual({ size: picture.length, type: "png" });
      const evidence = { uncategorized_file: id };
      const answered = await stripe.disputes.update(dispute?.id ?? "", { evidence });
      expect(answered.evidence).toMatchObject(evidence);
      expect(await contentsOf(id)).toEqual(picture);
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

test("every event matches Stripe's published description", async () => {
  const expected = [
    "charge.dispute.closed",
    "charge.failed",
    "payment_intent.canceled",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
    "refund.failed",
  ];
  const sent = () => new Set<string>(shop.events.map(({ type }) => type));
  await expect.poll(() => expected.filter((type) => !sent().has(type))).toEqual([]);
  expect(shop.events.flatMap(differencesOfEvent)).toEqual([]);
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
