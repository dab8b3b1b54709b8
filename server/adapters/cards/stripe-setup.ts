import type { Stripe } from "stripe";
import { receiveStripeEvent } from "#contract/payments.ts";
import {
  apiVersion,
  type CallStripe,
  isStripeError,
  type StripeConnection,
  stripeClient,
} from "./stripe-client.ts";
import { handledAccountEventTypes, handledEventTypes } from "./stripe-webhook-events.ts";

/** Below the public URL. */
export const webhookPath = `/api${receiveStripeEvent.path}`;

/** `secret` signs a new endpoint's events. The provider shows it only once. */
export type EndpointChange =
  | { change: "created" | "replaced"; secret: string }
  | { change: "updated" | "none" };

/** Creates, updates or replaces the endpoint if needed. An endpoint's API version can't change. */
export async function ensureWebhookEndpoint(
  connection: StripeConnection,
  url: string,
): Promise<EndpointChange> {
  const { call } = stripeClient(connection);
  const existing = await endpointsAt(call, url);
  const current = existing.find(hasOurVersion);
  if (current) {
    if (endpointFault(current) === undefined) return { change: "none" };
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
  return endpointFault(existing.find(hasOurVersion) ?? first);
}

/** Reads only one page, because Stripe allows only 16 endpoints. */
async function endpointsAt(call: CallStripe, url: string): Promise<Stripe.WebhookEndpoint[]> {
  const { data } = await call("list", (stripe) => stripe.webhookEndpoints.list({ limit: 100 }));
  return data.filter((endpoint) => endpoint.url === url);
}

function hasOurVersion({ api_version }: Stripe.WebhookEndpoint): boolean {
  return api_version === apiVersion;
}

function endpointFault(endpoint: Stripe.WebhookEndpoint): string | undefined {
  const { api_version } = endpoint;
  if (!hasOurVersion(endpoint))
    return `the webhook endpoint has API version ${api_version ?? "of the account"}, the shop needs ${apiVersion}`;
  return deliveryFault("the webhook endpoint", endpoint, handledEventTypes);
}

type Destination = Stripe.V2.Core.EventDestination;

const kind = "v2.core.event_destination";
/** Stripe's name for sellers' accounts. Excludes the shop's own account. */
const eventsFrom = ["@accounts"];

/** Makes Stripe send this URL exactly the seller account events that the shop handles. */
export async function ensureEventDestination(
  connection: StripeConnection,
  url: string,
): Promise<EndpointChange> {
  const { call } = stripeClient(connection);
  const existing = await findDestination(call, url);
  if (existing) {
    if (destinationFault(existing) === undefined) return { change: "none" };
    const { id, status } = existing;
    const enabled_events = [...handledAccountEventTypes];
    await call(kind, ({ v2 }) => v2.core.eventDestinations.update(id, { enabled_events }));
    if (status !== "enabled") await call(kind, ({ v2 }) => v2.core.eventDestinations.enable(id));
    return { change: "updated" };
  }
  const created = await call(kind, ({ v2 }) => v2.core.eventDestinations.create(wanted(url)));
  const secret = created.webhook_endpoint?.signing_secret;
  if (secret === undefined) throw new Error("Stripe answered without the destination's secret.");
  return { change: "created", secret };
}

export async function eventDestinationProblem(
  connection: StripeConnection,
  url: string,
): Promise<string | undefined> {
  const { call } = stripeClient(connection);
  const existing = await findDestination(call, url);
  return existing
    ? destinationFault(existing)
    : `Stripe has no event destination for sellers' accounts at ${url}`;
}

/** Why sellers' accounts can't be created; undefined if Stripe Connect is enabled. */
export async function connectProblem(connection: StripeConnection): Promise<string | undefined> {
  const { call } = stripeClient(connection);
  const list = async (stripe: Stripe) => {
    const { data } = await stripe.v2.core.accounts.list({ limit: 1 });
    return { object: "list", data } as const;
  };
  return await call("list", list).then(
    () => undefined,
    (error: unknown) => {
      // Errors from Stripe's API version 2 have no specific types.
      const isRefused = isStripeError(
        error,
        "StripeUnknownError",
        "StripeInvalidRequestError",
        "StripePermissionError",
      );
      if (!isRefused) throw error;
      return `Stripe Connect is not enabled, so that sellers can't be paid: ${error.message}`;
    },
  );
}

function wanted(url: string) {
  return {
    name: "Secondlap: sellers' accounts",
    type: "webhook_endpoint",
    event_payload: "thin",
    enabled_events: [...handledAccountEventTypes],
    events_from: eventsFrom,
    webhook_endpoint: { url },
    include: ["webhook_endpoint.signing_secret"],
  } satisfies Stripe.V2.Core.EventDestinationCreateParams;
}

async function findDestination(call: CallStripe, url: string): Promise<Destination | undefined> {
  const { data } = await call("list", async ({ v2 }) => {
    const page = await v2.core.eventDestinations.list({
      limit: 100,
      include: ["webhook_endpoint.url"],
    });
    return { object: "list", data: page.data } as const;
  });
  return data.find(
    ({ webhook_endpoint, event_payload, events_from }) =>
      webhook_endpoint?.url === url &&
      event_payload === "thin" &&
      events_from?.join() === eventsFrom.join(),
  );
}

function destinationFault(destination: Destination): string | undefined {
  const name = "the event destination for sellers' accounts";
  return deliveryFault(name, destination, handledAccountEventTypes);
}

/** Throws if Stripe pays out on a schedule, because such payouts would include buyers' money. */
export async function requireManualPayouts(connection: StripeConnection): Promise<void> {
  const { call } = stripeClient(connection);
  const { payments } = await call("balance_settings", (stripe) =>
    stripe.balanceSettings.retrieve(),
  );
  const interval = payments.payouts?.schedule?.interval ?? "manual";
  if (interval !== "manual")
    throw new Error(
      `Stripe pays out your balance by itself (${interval}), with buyers' money in it. Set it to manual in Stripe's dashboard, under Settings, Payouts`,
    );
}

/** Undefined if enabled and sending exactly the handled events. `name` begins the sentence. */
function deliveryFault(
  name: string,
  { status, enabled_events }: { status: string; enabled_events: string[] },
  handled: readonly string[],
): string | undefined {
  if (status !== "enabled") return `${name} is disabled`;
  const missing = handled.filter((type) => !enabled_events.includes(type));
  if (missing.length > 0) return `${name} does not send ${missing.join(", ")}`;
  const unhandled = enabled_events.filter((type) => !handled.includes(type));
  return unhandled.length > 0 ? `${name} also sends ${unhandled.join(", ")}` : undefined;
}
