import type { Stripe } from "stripe";
import { receiveStripeEvent } from "#contract/payments.ts";
import {
  apiVersion,
  type CallStripe,
  type StripeConnection,
  stripeClient,
} from "./stripe-client.ts";
import { deliveryProblem, handledEventTypes } from "./stripe-webhook-events.ts";

/** Below the public URL. */
export const webhookPath = `/api${receiveStripeEvent.path}`;

/** `secret` signs a new endpoint's events. The provider shows it only once. */
export type EndpointChange =
  | { change: "created" | "replaced"; secret: string }
  | { change: "updated" | "none" };

/** An endpoint's API version can't be changed, so an endpoint with another version is replaced. */
export async function ensureWebhookEndpoint(
  connection: StripeConnection,
  url: string,
): Promise<EndpointChange> {
  const { call } = stripeClient(connection);
  const existing = await endpointsAt(call, url);
  const current = existing.find(hasOurVersion);
  if (current) {
    if (problemOf(current) === undefined) return { change: "none" };
    const wanted = { enabled_events: [...handledEventTypes], disabled: false };
    await call("webhook_endpoint", (stripe) => stripe.webhookEndpoints.update(current.id, wanted));
    return { change: "updated" };
  }
  // Deletes the old endpoint first: if that failed after the creation, the new secret would be
  // lost. The reconciliation job finds events that occur in between.
  for (const { id } of existing)
    await call("webhook_endpoint", (stripe) => stripe.webhookEndpoints.del(id));
  const { secret } = await call("webhook_endpoint", (stripe) =>
    stripe.webhookEndpoints.create({
      url,
      enabled_events: [...handledEventTypes],
      api_version: apiVersion,
      description: "Secondlap",
    }),
  );
  if (secret === undefined) throw new Error("Stripe answered without the endpoint's secret.");
  return { change: existing.length > 0 ? "replaced" : "created", secret };
}

export async function webhookEndpointProblem(
  connection: StripeConnection,
  url: string,
): Promise<string | undefined> {
  const { call } = stripeClient(connection);
  const existing = await endpointsAt(call, url);
  const [first] = existing;
  if (!first) return `Stripe has no webhook endpoint for ${url}`;
  return problemOf(existing.find(hasOurVersion) ?? first);
}

/** One page is enough, because Stripe allows only 16 endpoints. */
async function endpointsAt(call: CallStripe, url: string): Promise<Stripe.WebhookEndpoint[]> {
  const { data } = await call("list", (stripe) => stripe.webhookEndpoints.list({ limit: 100 }));
  return data.filter((endpoint) => endpoint.url === url);
}

function hasOurVersion({ api_version }: Stripe.WebhookEndpoint): boolean {
  return api_version === apiVersion;
}

function problemOf(endpoint: Stripe.WebhookEndpoint): string | undefined {
  const { api_version } = endpoint;
  if (!hasOurVersion(endpoint))
    return `the webhook endpoint has API version ${api_version ?? "of the account"}, the shop needs ${apiVersion}`;
  return deliveryProblem("the webhook endpoint", endpoint, handledEventTypes);
}
