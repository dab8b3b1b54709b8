import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";
import {
  differencesOfExchange,
  type Exchange,
  recordingFetch,
} from "#sandbox/testing/stripe-openapi.ts";
import { sandboxKeys } from "../../settings/production-checks.ts";
import { cardProvider } from "../../testing/cards.ts";
import { listen } from "../../testing/free-port.ts";
import { transferGroupOf } from "./port.ts";
import { stripeCards } from "./stripe.ts";
import { testCards } from "./suite.ts";

const sandbox = await sandboxForFile();
const browser = { publishableKey: sandboxKeys.publishableKey, scriptUrl: null };

function cardsAt(url: string) {
  const { hostname, port } = new URL(url);
  return stripeCards({ ...sandboxKeys, browser, host: { hostname, port: Number(port) } });
}

function signed(event: object, secret: string) {
  const payload = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  return { bytes: Buffer.from(payload), signature };
}

test("a signed event is accepted, but an event with a changed body or no signature is rejected", async () => {
  const cards = cardsAt(sandbox.url);
  const data = { object: { id: "pi_1", object: "payment_intent" } };
  const event = { id: "evt_1", object: "event", type: "payment_intent.succeeded", data };
  const { bytes, signature } = signed(event, sandboxKeys.webhookSecret);
  expect(await cards.readEvent(bytes, signature)).toMatchObject({ intentId: "pi_1" });
  const changed = Buffer.from(bytes.toString().replace("pi_1", "pi_2"));
  const refusal = { code: "BAD_SIGNATURE" };
  await expect(cards.readEvent(changed, signature)).rejects.toMatchObject(refusal);
  await expect(cards.readEvent(bytes, "")).rejects.toMatchObject(refusal);
});

test("an event about a seller's account contains the account's id", async () => {
  const event = {
    id: "evt_2",
    object: "v2.core.event",
    type: "v1.payout.paid",
    context: "acct_1",
    created: new Date().toISOString(),
    livemode: false,
    related_object: { id: "po_1", type: "payout", url: "/v1/payouts/po_1" },
  };
  const { bytes, signature } = signed(event, sandboxKeys.connectWebhookSecret);
  const about = { accountId: "acct_1", intentId: undefined };
  expect(await cardsAt(sandbox.url).readEvent(bytes, signature)).toMatchObject(about);
});

test("the configured statement descriptor suffix is sent with a payment", async () => {
  const settings = { ...sandboxKeys, browser, statementDescriptorSuffix: "Laptops & more" };
  const { hostname, port } = new URL(sandbox.url);
  const cards = stripeCards({ ...settings, host: { hostname, port: Number(port) } });
  const order = { bookingId: "b-1", amountCents: 64_000, currency: "usd", email: "a@example.com" };
  const { id } = await cards.openIntent(order);
  const { intents } = await cardProvider(sandbox.url).ledger();
  expect(intents.find((intent) => intent.id === id)).toMatchObject({
    statement_descriptor_suffix: "Laptops & more",
  });
});

test.each([
  ["Relap", "Relap"],
  ['Açaí "Açores" *1*', "Acai"],
  ["Good Laptops Lisbon", "Good"],
  ["Secondhand Books", "Secondhand"],
  ["Supercomputers", "Supercompu"],
  ["中古 24", undefined],
])("the statement descriptor suffix of a shop named %s is %s", async (shopName, suffix) => {
  const order = {
    bookingId: randomUUID(),
    amountCents: 64_000,
    currency: "usd",
    email: "a@b.co",
  };
  const { id } = await cardsAt(sandbox.url).openIntent({ ...order, shopName });
  const { intents } = await cardProvider(sandbox.url).ledger();
  expect(intents.find((intent) => intent.id === id)).toMatchObject({
    statement_descriptor_suffix: suffix ?? null,
  });
});

const refundOf = (intentId: string) => ({
  intentId,
  amountCents: 64_000,
  metadata: {},
  idempotencyKey: randomUUID(),
});

test("refunding a partly refunded payment after a lost dispute is rejected as charge_disputed", async () => {
  const provider = cardProvider(sandbox.url);
  const cards = cardsAt(sandbox.url);
  const order = { bookingId: "b-2", amountCents: 64_000, currency: "usd", email: "a@example.com" };
  const { id } = await cards.openIntent(order);
  await provider.pay(id, "pm_card_createDisputeInquiry");
  await provider.refund(id, 4_000);
  await provider.answerDispute(id, "losing_evidence");
  expect(await cards.refund(refundOf(id))).toMatchObject({ refused: "charge_disputed" });
});

describe("transfers with Stripe", () => {
  const provider = () => cardProvider(sandbox.url);
  afterEach(async () => await provider().injectFaults({}));

  async function order() {
    const cards = cardsAt(sandbox.url);
    const member = { memberId: "m-1", email: "ada@example.com", idempotencyKey: randomUUID() };
    const { accountId } = await cards.createSellerAccount(member);
    const urls = { returnUrl: "http://127.0.0.1:1/", refreshUrl: "http://127.0.0.1:1/again" };
    await provider().onboard((await cards.createOnboardingLink({ accountId, ...urls })).url);
    const bookingId = randomUUID();
    const paid = { bookingId, amountCents: 64_000, currency: "usd", email: "a@example.com" };
    const { id } = await cards.openIntent(paid);
    await provider().pay(id);
    const { chargeId: sourceCharge = "" } = await cards.findIntent(id);
    const transferGroup = transferGroupOf(bookingId);
    const what = { amountCents: 60_000, currency: "usd", accountId, transferGroup, sourceCharge };
    return { ...what, metadata: {}, idempotencyKey: randomUUID() };
  }

  test("a transfer is rejected while another call with the same idempotency key is in progress", async () => {
    const wanted = await order();
    const busy = { method: "POST", path: "/v1/transfers", status: 409, times: 2 };
    await provider().injectFaults({ failNext: busy });
    expect(await cardsAt(sandbox.url).createTransfer(wanted)).toEqual({
      refused: "idempotency_key_in_use",
      message: expect.any(String),
    });
    expect(await cardsAt(sandbox.url).findTransfers(wanted.transferGroup)).toEqual([]);
  });

  test.each([503, "hangup"] as const)(
    "a transfer whose response is lost (%s) is found by its transfer group",
    async (status) => {
      const wanted = await order();
      const lost = { method: "POST", path: "/v1/transfers", status, afterWork: true, times: 5 };
      await provider().injectFaults({ failNext: lost });
      const cards = cardsAt(sandbox.url);
      await expect(cards.createTransfer(wanted)).rejects.toMatchObject({
        code: "PROVIDER_UNAVAILABLE",
      });
      await provider().injectFaults({});
      const found = await cards.findTransfers(wanted.transferGroup);
      expect(found).toMatchObject([{ amountCents: 60_000 }]);
      expect(await cards.createTransfer(wanted)).toEqual({ transferId: found[0]?.id });
    },
  );
});

describe("responses that Stripe stores under an idempotency key", () => {
  const provider = () => cardProvider(sandbox.url);
  afterEach(async () => await provider().injectFaults({}));

  const orderOf = (bookingId: string) => ({
    bookingId,
    amountCents: 64_000,
    currency: "usd",
    email: "a@example.com",
  });
  const stored: [string, object][] = [
    ["a failure before Stripe did the work", { status: 500 }],
    ["a failure after Stripe did the work", { status: 500, afterWork: true }],
    ["an outdated rejection", { status: 400, code: "balance_insufficient" }],
  ];
  const failWith = (path: string, failure: object) =>
    provider().injectFaults({ failNext: { method: "POST", path, times: 9, ...failure } });

  test.each(stored)("after %s, a retry creates an open payment intent", async (_, failure) => {
    const cards = cardsAt(sandbox.url);
    const order = orderOf(randomUUID());
    await failWith("/v1/payment_intents", failure);
    await expect(cards.openIntent(order)).rejects.toThrow();
    await provider().injectFaults({});
    expect(await cards.openIntent(order)).toMatchObject({ status: "open" });
  });

  test.each(stored)("after %s, a refund is made only once", async (_, failure) => {
    const cards = cardsAt(sandbox.url);
    const { id } = await cards.openIntent(orderOf(randomUUID()));
    await provider().pay(id);
    await failWith("/v1/refunds", failure);
    await cards.refund(refundOf(id)).catch(() => {});
    await provider().injectFaults({});
    // Like the shop, looks for an existing refund before another attempt with a new key.
    if ((await cards.findIntent(id)).refunds.length === 0)
      expect(await cards.refund(refundOf(id))).toMatchObject({ amountCents: 64_000 });
    const { refunds } = await provider().ledger();
    expect(refunds.filter((one) => one.payment_intent === id)).toHaveLength(1);
  });

  test.each(stored.slice(0, 2))("after %s, evidence can still be sent", async (_, failure) => {
    const cards = cardsAt(sandbox.url);
    const { id } = await cards.openIntent(orderOf(randomUUID()));
    await provider().pay(id, "pm_card_createDispute");
    const [dispute] = (await cards.findIntent(id)).disputes;
    const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex");
    const upload = () => cards.uploadEvidence({ jpeg, idempotencyKey: `upload-${id}` });
    await failWith("/v1/files", failure);
    await expect(upload()).rejects.toThrow();
    await provider().injectFaults({});
    expect(await upload()).toHaveProperty("fileId");
    const evidence = { disputeId: dispute?.id ?? "", text: "Sold.", idempotencyKey: `send-${id}` };
    await failWith("/v1/disputes/:id", { status: 500 });
    await expect(cards.submitEvidence(evidence)).rejects.toThrow();
    await provider().injectFaults({});
    expect(await cards.submitEvidence(evidence)).toEqual({ submitted: true });
  });
});

describe("the card provider suite with Stripe's SDK and the sandbox", () => {
  const exchanges: Exchange[] = [];
  beforeAll(() => {
    const recording = recordingFetch(exchanges, globalThis.fetch);
    vi.spyOn(globalThis, "fetch").mockImplementation(recording);
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  testCards(() => ({
    cards: cardsAt(sandbox.url),
    provider: cardProvider(sandbox.url),
    unreachable: cardsAt("http://127.0.0.1:9"),
  }));

  test("the suite's requests, and the sandbox's responses to them, match Stripe's published API", async () => {
    await cardsAt(sandbox.url).listEvents(new Date());
    await cardsAt(sandbox.url).listBalanceTransactions(new Date(0));
    const called = exchanges.map(({ method, url }) => `${method} ${url.pathname}`);
    expect(called).toEqual(
      expect.arrayContaining(["POST /v1/payment_intents", "POST /v1/refunds", "GET /v1/events"]),
    );
    expect(exchanges.flatMap(differencesOfExchange)).toEqual([]);
  });
});

describe("responses of the card provider", () => {
  const endless: [string, (response: ServerResponse) => void][] = [
    [
      "that trickles in for longer than the timeout",
      (response) => {
        const timer = setInterval(() => response.write(" "), 50);
        response.on("close", () => clearInterval(timer));
      },
    ],
    [
      "that is larger than any API response",
      (response) => {
        const more = () => {
          while (!response.destroyed && response.write(" ".repeat(100_000)));
        };
        response.on("drain", more);
        more();
      },
    ],
  ];

  test.each(endless)("a response %s is aborted", async (_, send) => {
    const { host, close } = await answerAll((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      send(response);
    });
    const cards = stripeCards({ ...sandboxKeys, browser, host, timeoutMs: 1_000 });
    await expect(cards.findIntent("pi_1")).rejects.toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
    close();
  });

  test("balance changes include money moved into a reserve, but not the reserve's own entry", async () => {
    const hold = { type: "reserve_hold", fee: 0, currency: "usd", created: 1, source: null };
    const data = [
      { id: "txn_1", ...hold, amount: -500, balance_type: "payments" },
      { id: "txn_2", ...hold, amount: 500, balance_type: "risk_reserved" },
    ];
    const { host, close } = await answerAll((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "list", data, has_more: false }));
    });
    const cards = stripeCards({ ...sandboxKeys, browser, host });
    expect(await cards.listBalanceTransactions(undefined)).toMatchObject([{ id: "txn_1" }]);
    close();
  });

  test("an error about missing permissions is not mistaken for a closed account", async () => {
    const message = "The provided key does not have the required permissions for this endpoint.";
    const { host, close } = await answerAll((response) => {
      response.writeHead(403, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { type: "invalid_request_error", message } }));
    });
    const cards = stripeCards({ ...sandboxKeys, browser, host });
    await expect(cards.readSellerBalance("acct_1", "usd")).rejects.toThrow(message);
    await expect(cards.listPayouts("acct_1")).rejects.toThrow(message);
    close();
  });
});

async function answerAll(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response));
  const port = await listen(server);
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { host: { hostname: "127.0.0.1", port }, close };
}
