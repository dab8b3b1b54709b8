import { z } from "zod";

const include = z.enum(["configuration.recipient", "defaults", "identity", "requirements"]);
export type Include = z.output<typeof include>;

const included = z.array(include).default([]);
const metadata = z.record(z.string().max(40), z.string().max(500)).default({});
const requested = z.strictObject({ requested: z.literal(true) });
const collector = z.enum(["application", "stripe"]);

// Only the parameters that the shop uses, for an account that receives transfers.
export const createAccountParams = z.strictObject({
  contact_email: z.email(),
  dashboard: z.enum(["express", "full", "none"]),
  identity: z.strictObject({ country: z.string().regex(/^[A-Za-z]{2}$/) }),
  configuration: z.strictObject({
    recipient: z.strictObject({
      capabilities: z.strictObject({
        stripe_balance: z.strictObject({ stripe_transfers: requested }),
      }),
    }),
  }),
  defaults: z.strictObject({
    responsibilities: z.strictObject({ fees_collector: collector, losses_collector: collector }),
  }),
  metadata,
  include: included,
});

export const retrieveAccountParams = z.strictObject({ include: included });

export const closeAccountParams = z.strictObject({
  applied_configurations: z.array(z.literal("recipient")).optional(),
});

const shopUrl = z.url({ protocol: /^https?$/ });

export const createLinkParams = z.strictObject({
  account: z.string(),
  use_case: z.strictObject({
    type: z.literal("account_onboarding"),
    account_onboarding: z.strictObject({ return_url: shopUrl, refresh_url: shopUrl }),
  }),
});

const eventNames = z.array(z.string().regex(/^[a-z0-9_.[\]]+$/)).min(1);
const destinationInclude = z
  .array(z.enum(["webhook_endpoint.signing_secret", "webhook_endpoint.url"]))
  .default([]);

export const createDestinationParams = z.strictObject({
  name: z.string().min(1),
  type: z.literal("webhook_endpoint"),
  description: z.string().default(""),
  event_payload: z.enum(["snapshot", "thin"]),
  enabled_events: eventNames,
  events_from: z.array(z.enum(["@self", "@accounts"])).default(["@self"]),
  webhook_endpoint: z.strictObject({ url: shopUrl }),
  include: destinationInclude,
});

export const updateDestinationParams = z.strictObject({
  enabled_events: eventNames.optional(),
  include: destinationInclude,
});

export const listDestinationParams = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  include: destinationInclude,
});

export const listAccountsParams = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

export const noParams = z.strictObject({});
