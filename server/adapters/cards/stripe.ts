import type { Stripe } from "stripe";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { providerTimeouts } from "../../settings/provider-timeouts.ts";
import { limitCalls, TooManyCalls } from "../limit-calls.ts";
import { limitedFetch } from "../limited-fetch.ts";
import type { CardEvent, Cards, Intent } from "./port.ts";

export type StripeSettings = {
  secretKey: string;
  webhookSecret: string;
  browser: Cards["browser"];
  /** The address of the API, if it is not Stripe itself. */
  host?: { hostname: string; port: number };
  /** Timeout of one attempt. */
  timeoutMs?: number;
};

const maxCalls = 100;
const maxAnswerBytes = 1_000_000;

/** Stripe, or a server with the same API (docs.stripe.com/api). */
export function stripeCards({
  secretKey,
  webhookSecret,
  browser,
  host,
  timeoutMs = providerTimeouts.cards,
}: StripeSettings): Cards {
  const at = host && ({ host: host.hostname, port: host.port, protocol: "http" } as const);
  const limit = limitCalls(maxCalls);
  let client: Promise<Stripe> | undefined;
  return {
    browser,
    async openIntent({ bookingId, amountCents, currency, email }) {
      const order = {
        amount: amountCents,
        currency,
        receipt_email: email,
        payment_method_types: ["card"],
        metadata: { bookingId },
      };
      // Stripe remembers the key for a day, so a second call returns the first intent.
      return toIntent(
        await callProvider("payment_intent", (stripe) =>
          stripe.paymentIntents.create(order, { idempotencyKey: `booking-${bookingId}` }),
        ),
      );
    },
    async findIntent(intentId) {
      return await find(intentId);
    },
    async cancelIntent(intentId) {
      const cancelled = await callProvider("payment_intent", (stripe) =>
        stripe.paymentIntents.cancel(intentId),
      ).catch(unless("payment_intent_unexpected_state", "resource_missing"));
      return cancelled ? toIntent(cancelled) : await find(intentId);
    },
    async refund(intentId) {
      const key = { idempotencyKey: `refund-${intentId}` };
      const refund = await callProvider("refund", (stripe) =>
        stripe.refunds.create({ payment_intent: intentId }, key),
      ).catch(unless("charge_already_refunded"));
      if (refund) return refund.id;
      // After a day Stripe has forgotten the idempotency key, but still lists the refund.
      const [earlier] = (
        await callProvider("list", (stripe) => stripe.refunds.list({ payment_intent: intentId }))
      ).data;
      if (!earlier)
        throw new Error("The provider says a charge was refunded, but lists no refund.");
      return earlier.id;
    },
    readEvent: async (bytes, signature) =>
      readEvent(await openClient(), { bytes, signature, webhookSecret }),
  };

  /** Loaded on first use: the library takes a tenth of a second. */
  async function openClient(): Promise<Stripe> {
    client ??= import("stripe").then(({ default: StripeClient }) => {
      // Its client for Node limits neither the time nor the size of an answer that has begun.
      const httpClient = StripeClient.createFetchHttpClient(limitedFetch(maxAnswerBytes));
      const limits = { timeout: timeoutMs, maxNetworkRetries: 1, httpClient };
      const options = { ...limits, telemetry: false, ...at };
      return new StripeClient(secretKey, options);
    });
    return await client;
  }

  /**
   * Turns connection errors, rate limits, failures of the provider and answers that are not of its API into
   * `PROVIDER_UNAVAILABLE`.
   */
  async function callProvider<T extends { object: string }>(
    kind: T["object"],
    call: (stripe: Stripe) => Promise<T>,
  ): Promise<T> {
    const stripe = await openClient();
    const answer = await limit(() => call(stripe)).catch(throwIfUnavailable);
    if (answer.object !== kind) throw unavailable(new Error(`The answer is no ${kind}.`));
    return answer;
  }

  async function find(id: string): Promise<Intent> {
    const found = await callProvider("payment_intent", (stripe) =>
      stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] }),
    ).catch(unless("resource_missing"));
    return found ? toIntent(found) : { ...gone, id };
  }
}

/** An intent the provider does not know, as after a change of Stripe accounts: it can never be paid. */
const gone = {
  clientSecret: "",
  status: "cancelled",
  amountCents: 0,
  refundedCents: 0,
  currency: "",
  bookingId: undefined,
} as const;

function toIntent(intent: Stripe.PaymentIntent): Intent {
  const charge = typeof intent.latest_charge === "string" ? null : intent.latest_charge;
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? "",
    status: statuses[intent.status] ?? "processing",
    amountCents: intent.amount,
    refundedCents: charge?.amount_refunded ?? 0,
    currency: intent.currency,
    bookingId: intent.metadata.bookingId,
  };
}

const statuses: Partial<Record<Stripe.PaymentIntent.Status, Intent["status"]>> = {
  requires_payment_method: "open",
  requires_confirmation: "open",
  requires_action: "open",
  requires_capture: "processing",
  processing: "processing",
  succeeded: "succeeded",
  canceled: "cancelled",
};

/** Ignores errors with these codes; the caller reads the current state instead. */
function unless(...codes: string[]) {
  return (error: unknown): undefined => {
    if (isStripeError(error, "StripeInvalidRequestError") && codes.includes(error.code ?? ""))
      return;
    throw error;
  };
}

function throwIfUnavailable(error: unknown): never {
  const failures = ["StripeConnectionError", "StripeAPIError", "StripeRateLimitError"];
  if (error instanceof TooManyCalls || isStripeError(error, ...failures)) throw unavailable(error);
  throw error;
}

function unavailable(cause: unknown): AppError {
  const message =
    "The card provider does not answer just now. Nothing was charged twice; please try again in a minute.";
  return Object.assign(new AppError("PROVIDER_UNAVAILABLE", message), { cause });
}

/** Compares the type, because the classes are not loaded at the start. */
function isStripeError(error: unknown, ...types: string[]): error is Stripe.errors.StripeError {
  return error instanceof Error && "type" in error && types.includes(String(error.type));
}

function readEvent(
  stripe: Stripe,
  from: { bytes: Buffer; signature: string; webhookSecret: string },
): CardEvent {
  const parsed = stripeEvent.safeParse(verified(stripe, from));
  if (parsed.success) return parsed.data;
  throw new AppError(
    "BAD_REQUEST",
    "This is signed, but it is not an event of the card provider. Send events as Stripe does.",
  );
}

/** The signed JSON; undefined if the signature is valid but the body is not JSON. */
function verified(
  stripe: Stripe,
  { bytes, signature, webhookSecret }: { bytes: Buffer; signature: string; webhookSecret: string },
): unknown {
  try {
    return stripe.webhooks.constructEvent(bytes, signature, webhookSecret, 300);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (!isStripeError(error, "StripeSignatureVerificationError")) throw error;
    throw new AppError(
      "BAD_SIGNATURE",
      "This event is not signed by the card provider, or is older than five minutes.",
    );
  }
}

const word = z.string().regex(/^[\w.-]{1,255}$/);

/** The id and type of an event, and the payment intent it is about. */
const stripeEvent = z
  .looseObject({ id: word, type: word })
  .transform((event, context): CardEvent => {
    const { id, type } = event;
    const schema = intentSchemas[type];
    if (!schema) return { id, type, intentId: undefined };
    const parsed = schema.safeParse(event.data);
    if (parsed.success) return { id, type, intentId: parsed.data };
    context.addIssue({ code: "custom", message: "data does not match the type" });
    return z.NEVER;
  });

const intentSchemas: Record<string, z.ZodType<string | undefined>> = {
  "payment_intent.succeeded": z
    .object({ object: z.object({ id: word }) })
    .transform((data) => data.object.id),
  "charge.refunded": z
    .object({ object: z.object({ payment_intent: word.nullish() }) })
    .transform((data) => data.object.payment_intent ?? undefined),
};
