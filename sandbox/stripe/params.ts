import { z } from "zod";
import type { Form } from "../form-encoding.ts";
import { invalidRequest } from "./errors.ts";

const integer = z
  .string()
  .regex(/^\d{1,12}$/, "Invalid integer")
  .transform(Number);
const cents = integer.refine(
  (amount) => amount <= 99_999_999,
  "Amount must be no more than 99999999.",
);
const currency = z
  .string()
  .toLowerCase()
  .regex(/^[a-z]{3}$/, "Invalid currency");
const metadata = z.record(z.string().max(40), z.string().max(500)).prefault({});
/** Converts `types[0]=a` to a list. */
const toList = (form: unknown) =>
  typeof form === "object" && form !== null ? Object.values(form) : form;
const values = z.preprocess(toList, z.array(z.string()));
const expandable = { expand: values.optional() };
const clientSecretParam = { client_secret: z.string().optional() };

// Like Stripe, the sandbox rejects parameters that these schemas don't list.
export const createIntentParams = z.strictObject({
  ...expandable,
  amount: cents,
  currency,
  metadata,
  receipt_email: z.string().optional(),
  allowed_payment_method_types: z.preprocess(toList, z.array(z.literal("card"))).optional(),
  statement_descriptor_suffix: z
    .string()
    .max(22)
    .regex(/^(?=.*[A-Za-z])[^<>\\'"*]+$/, "The statement descriptor suffix is invalid.")
    .optional(),
  transfer_group: z.string().optional(),
});

const payer = z
  .strictObject({ name: z.string().optional(), email: z.string().optional() })
  .prefault({})
  .transform(({ name = null, email = null }) => ({ name, email }));

const card = z.strictObject({
  number: z.string().regex(/^\d{12,19}$/, "Your card number is invalid."),
  exp_month: integer,
  exp_year: integer,
  cvc: z.string().regex(/^\d{3,4}$/, "Your card's security code is invalid."),
});

export const confirmParams = z.strictObject({
  ...expandable,
  ...clientSecretParam,
  payment_method: z.string().optional(),
  payment_method_data: z
    .strictObject({ type: z.literal("card"), card, billing_details: payer })
    .optional(),
});

export type ConfirmParams = z.output<typeof confirmParams>;

export const authenticateParams = z.strictObject({
  ...expandable,
  ...clientSecretParam,
  outcome: z.enum(["complete", "fail"]),
});

export const refundParams = z.strictObject({
  ...expandable,
  payment_intent: z.string(),
  amount: integer.optional(),
  metadata,
});

export const evidenceParams = z.strictObject({
  ...expandable,
  evidence: z
    .strictObject({
      customer_email_address: z.string(),
      customer_name: z.string(),
      product_description: z.string(),
      service_date: z.string(),
      uncategorized_file: z.string(),
      uncategorized_text: z.string(),
    })
    .partial(),
  submit: z.literal("true").optional(),
});

export const fileParams = z.strictObject({
  ...expandable,
  purpose: z.literal("dispute_evidence"),
  file: z.strictObject({ name: z.string(), contents: z.string() }),
});

const httpUrl = z.url({ protocol: /^https?$/, error: "Invalid URL" });
const eventNames = values.pipe(z.array(z.string().regex(/^[a-z_.]+$|^\*$/, "Invalid event")));

export const createEndpointParams = z.strictObject({
  ...expandable,
  url: httpUrl,
  enabled_events: eventNames,
  api_version: z.string().optional(),
  description: z.string().optional(),
});

export const updateEndpointParams = z.strictObject({
  ...expandable,
  enabled_events: eventNames.optional(),
  disabled: z.enum(["true", "false"]).optional(),
});

export const transferParams = z.strictObject({
  ...expandable,
  amount: cents,
  currency,
  destination: z.string(),
  metadata,
  source_transaction: z.string().optional(),
  transfer_group: z.string().optional(),
});

export const reversalParams = z.strictObject({
  ...expandable,
  amount: cents.optional(),
  metadata,
});

export const payoutParams = z.strictObject({ ...expandable, amount: cents, currency });

export const bareParams = z.strictObject({ ...expandable });

export const listParams = z
  .strictObject({
    ...expandable,
    limit: integer
      .refine((limit) => limit >= 1 && limit <= 100, "Limit is 1 to 100")
      .prefault("10"),
    starting_after: z.string().optional(),
    created: z.strictObject({ gte: integer }).optional(),
    payment_intent: z.string().optional(),
    types: values.optional(),
    transfer_group: z.string().optional(),
  })
  .transform(({ created, starting_after: after, ...rest }) => ({
    ...rest,
    after,
    from: created?.gte,
  }));

// API version 2.
const include = z.enum(["configuration.recipient", "defaults", "identity", "requirements"]);
export type Include = z.output<typeof include>;

const included = z.array(include).default([]);
const requested = z.strictObject({ requested: z.literal(true) });
const collector = z.enum(["application", "stripe"]);

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

export const createLinkParams = z.strictObject({
  account: z.string(),
  use_case: z.strictObject({
    type: z.literal("account_onboarding"),
    account_onboarding: z.strictObject({ return_url: httpUrl, refresh_url: httpUrl }),
  }),
});

const thinEventNames = z.array(z.string().regex(/^[a-z0-9_.[\]]+$/)).min(1);
const destinationInclude = z
  .array(z.enum(["webhook_endpoint.signing_secret", "webhook_endpoint.url"]))
  .default([]);

export const createDestinationParams = z.strictObject({
  name: z.string().min(1),
  type: z.literal("webhook_endpoint"),
  description: z.string().default(""),
  event_payload: z.enum(["snapshot", "thin"]),
  enabled_events: thinEventNames,
  events_from: z.array(z.enum(["@self", "@accounts"])).default(["@self"]),
  webhook_endpoint: z.strictObject({ url: httpUrl }),
  include: destinationInclude,
});

export const updateDestinationParams = z.strictObject({
  enabled_events: thinEventNames.optional(),
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

/** Throws Stripe's error for the first invalid parameter. */
export function parseParams<S extends z.ZodType>(schema: S, form: Form): z.output<S> {
  const parsed = schema.safeParse(form);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const [first = "", ...rest] = [...(issue?.path ?? []), ...unknown].map(String);
  const param = first + rest.map((key) => `[${key}]`).join("");

  if (unknown.length > 0) {
    throw invalidRequest(`Received unknown parameter: ${param}`, {
      code: "parameter_unknown",
      param,
    });
  }
  if (issue?.code === "invalid_type" && issue.message.endsWith("received undefined")) {
    throw invalidRequest(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  }
  throw invalidRequest(issue?.message ?? "Invalid request.", { param });
}
