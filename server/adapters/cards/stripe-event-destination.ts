import type { Stripe } from "stripe";
import {
  type CallStripe,
  isStripeError,
  type StripeConnection,
  stripeClient,
} from "./stripe-client.ts";
import type { EndpointChange } from "./stripe-webhook-endpoint.ts";
import { deliveryProblem, handledAccountEventTypes } from "./stripe-webhook-events.ts";

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
    if (problemOf(existing) === undefined) return { change: "none" };
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
    ? problemOf(existing)
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

function problemOf(destination: Destination): string | undefined {
  const name = "the event destination for sellers' accounts";
  return deliveryProblem(name, destination, handledAccountEventTypes);
}

/** Stripe's own payout schedule would include buyers' money. */
export async function payoutScheduleProblem(
  connection: StripeConnection,
): Promise<string | undefined> {
  const { call } = stripeClient(connection);
  const { payments } = await call("balance_settings", (stripe) =>
    stripe.balanceSettings.retrieve(),
  );
  const interval = payments.payouts?.schedule?.interval ?? "manual";
  return interval === "manual"
    ? undefined
    : `Stripe pays out your balance by itself (${interval}), with buyers' money in it. Set it to manual in Stripe's dashboard, under Settings, Payouts`;
}
