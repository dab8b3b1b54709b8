import type Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";
import { webhookUrl } from "../../cli/stripe.ts";
import { sandboxKeys } from "../../settings/production-checks.ts";
import { run, waitForExit } from "../../testing/program.ts";
import { apiVersion } from "./stripe-client.ts";
import {
  ensureEventDestination,
  ensureWebhookEndpoint,
  eventDestinationProblem,
  webhookEndpointProblem,
} from "./stripe-setup.ts";
import { handledEventTypes } from "./stripe-webhook-events.ts";

const url = "https://laptops.example.com/api/webhooks/stripe";
const sandbox = await sandboxForFile();
const { stripe } = sandbox;
const { port } = new URL(sandbox.url);

const endpoints = async () => (await stripe.webhookEndpoints.list()).data;
afterEach(async () => {
  for (const { id } of await endpoints()) await stripe.webhookEndpoints.del(id);
});

const connection = {
  secretKey: sandboxKeys.secretKey,
  host: { hostname: "127.0.0.1", port: Number(port) },
};
const ensure = () => ensureWebhookEndpoint(connection, url);
const problem = () => webhookEndpointProblem(connection, url);

const asItShouldBe = {
  url,
  status: "enabled",
  api_version: apiVersion,
  enabled_events: handledEventTypes,
};

async function command(...args: string[]) {
  return await waitForExit(run({ SANDBOX_PORT: port }, ["server/cli/stripe.ts", ...args]));
}

test.each([
  [["webhook", "--host", "laptops.example.com"]],
  [["delete", "--url", "https://laptops.example.com"]],
  [["webhook", "--url", "http://laptops.example.com"]],
  [["webhook", "--url", "https://laptops.example.com/hooks"]],
])("npm run stripe rejects bad arguments %j with an example", (args) => {
  expect(() => webhookUrl(args)).toThrow("https://laptops.example.com");
});

describe("npm run stripe -- webhook", () => {
  const args = ["webhook", "--url", "https://laptops.example.com"];
  const failNext = (path: string, status: number) =>
    sandbox.control({ failNext: { method: "GET", path, status, times: 2 } });
  afterEach(() => sandbox.control());

  test("if the sandbox fails, npm run stripe shows the sandbox's URL and tells the operator how to continue", async () => {
    await failNext("/v1/webhook_endpoints", 500);
    const { code, said } = await command(...args);
    expect(code).toBe(1);
    expect(said).toContain(`The sandbox at http://127.0.0.1:${port} doesn't answer`);
    expect(said).toContain("set STRIPE_SECRET_KEY");
  });

  test("npm run stripe tells the operator to check STRIPE_SECRET_KEY if Stripe rejects the key", async () => {
    await failNext("/v1/webhook_endpoints", 401);
    const { code, said } = await command(...args);
    expect(code).toBe(1);
    expect(said).toContain("Check STRIPE_SECRET_KEY.");
  });

  test("npm run stripe prints a new endpoint's secret even if the next step fails, and a second run does only that step", async () => {
    await failNext("/v2/core/event_destinations", 500);
    const first = await command(...args);
    expect(first.code).toBe(1);
    expect(first.said).toMatch(/was created.*\n\nSTRIPE_WEBHOOK_SECRET=whsec_\w{32}\n/);
    const created = await endpoints();
    expect(created).toMatchObject([asItShouldBe]);
    expect(created[0]?.enabled_events.toSorted()).toEqual([
      "charge.dispute.closed",
      "charge.dispute.created",
      "charge.dispute.funds_reinstated",
      "charge.dispute.funds_withdrawn",
      "charge.dispute.updated",
      "charge.refunded",
      "payment_intent.succeeded",
      "refund.failed",
      "refund.updated",
      "transfer.reversed",
    ]);
    await sandbox.control();
    expect(await command("webhook", "--url", url)).toEqual({
      code: 0,
      said: expect.stringMatching(
        /Nothing was changed\.\n\n.*was created.*\n\nSTRIPE_CONNECT_WEBHOOK_SECRET=whsec_\w{32}\n$/,
      ),
    });
    expect(await endpoints()).toEqual(created);
  });
});

test("a webhook endpoint that is disabled or sends the wrong events is corrected and keeps its secret", async () => {
  await ensure();
  const [created] = await endpoints();
  const id = created?.id ?? "";
  const [first, ...others] = handledEventTypes;
  for (const [change, says] of [
    [{ disabled: true }, "is disabled"],
    [{ enabled_events: others }, `does not send ${first}`],
    [{ enabled_events: [...handledEventTypes, "charge.expired" as const] }, "charge.expired"],
  ] as const) {
    await stripe.webhookEndpoints.update(id, change as Stripe.WebhookEndpointUpdateParams);
    expect(await problem()).toContain(says);
    expect(await ensure()).toEqual({ change: "updated" });
    expect(await endpoints()).toMatchObject([{ ...asItShouldBe, id }]);
  }
  expect(await problem()).toBeUndefined();
});

test("an event destination that is disabled or sends the wrong events is corrected and keeps its secret", async () => {
  const address = "https://two.example.com/api/webhooks/stripe";
  const ensureOne = () => ensureEventDestination(connection, address);
  const says = () => eventDestinationProblem(connection, address);
  expect(await says()).toContain("no event destination");
  const secret = expect.stringMatching(/^whsec_\w{32}$/);
  expect(await ensureOne()).toEqual({ change: "created", secret });
  expect(await ensureOne()).toEqual({ change: "none" });
  const { eventDestinations } = stripe.v2.core;
  const { data } = await eventDestinations.list({ include: ["webhook_endpoint.url"] });
  const id = data.find(({ webhook_endpoint }) => webhook_endpoint?.url === address)?.id ?? "";
  await eventDestinations.disable(id);
  expect(await says()).toContain("is disabled");
  expect(await ensureOne()).toEqual({ change: "updated" });
  await eventDestinations.update(id, { enabled_events: ["v1.payout.paid", "v1.payout.canceled"] });
  expect(await says()).toContain("does not send v2.core.account");
  expect(await ensureOne()).toEqual({ change: "updated" });
  expect(await ensureOne()).toEqual({ change: "none" });
  await eventDestinations.del(id);
});

test("a webhook endpoint with another API version is replaced, and endpoints at other URLs are kept", async () => {
  const elsewhere = { url: "https://other.example.com/hooks", enabled_events: ["*" as const] };
  const other = await stripe.webhookEndpoints.create(elsewhere);
  expect(await problem()).toBe(`Stripe has no webhook endpoint for ${url}`);
  const api_version = "2020-08-27";
  const old = await stripe.webhookEndpoints.create({ ...elsewhere, url, api_version });
  expect(await problem()).toContain(`API version ${api_version}`);
  expect(await ensure()).toEqual({
    change: "replaced",
    secret: expect.stringMatching(/^whsec_\w{32}$/),
  });
  const now = await endpoints();
  expect(now).toMatchObject([asItShouldBe, { id: other.id, enabled_events: ["*"] }]);
  expect(now.map(({ id }) => id)).not.toContain(old.id);
  expect(await problem()).toBeUndefined();
});
