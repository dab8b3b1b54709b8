import Stripe from "stripe";
import { expect } from "vitest";
import { sandboxForFile } from "./sandbox.ts";
import { differencesOfExchange, type Exchange, recordingFetch } from "./stripe-openapi.ts";
import { startWebhookReceiver } from "./webhook-receiver.ts";

export const order = {
  amount: 45_000,
  currency: "usd",
  metadata: { bookingId: "b-1" },
  receipt_email: "ada@example.com",
  allowed_payment_method_types: ["card"],
  statement_descriptor_suffix: "Laptop 1",
};

/** A sandbox for one file's tests. Records the calls that its Stripe clients make. */
export async function recordedSandbox() {
  const exchanges: Exchange[] = [];
  const shop = await startWebhookReceiver();
  const sandbox = await sandboxForFile({ webhookUrl: shop.url });
  const stripe = clientWith("sk_test_sandbox");

  function clientWith(key: string): Stripe {
    const { hostname, port } = new URL(sandbox.url);
    const httpClient = Stripe.createFetchHttpClient(recordingFetch(exchanges));
    const at = { host: hostname, port, protocol: "http" } as const;
    return new Stripe(key, { ...at, httpClient, maxNetworkRetries: 0, telemetry: false });
  }

  /** Returns the intent's ID. */
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

  return { sandbox, shop, stripe, clientWith, pay, expectPublished, expectRefused };
}
