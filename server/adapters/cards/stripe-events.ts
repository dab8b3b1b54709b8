import type { Stripe } from "stripe";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import type { CardEvent, ListedEvent } from "./port.ts";
import { apiVersion, isStripeError } from "./stripe-client.ts";

const word = z.string().regex(/^[\w.-]{1,255}$/);

const intentItself = z
  .object({ object: z.object({ id: word }) })
  .transform(({ object }): string | undefined => object.id);
/** A charge, refund or dispute names its intent; one that was made without an intent is not ours. */
const intentOfObject = z
  .object({ object: z.object({ payment_intent: word.nullish() }) })
  .transform(({ object }): string | undefined => object.payment_intent ?? undefined);

/**
 * The events that the shop handles, and where each names its payment intent. Only that id is used: the state is
 * read from the provider, so events may arrive twice, late and in any order.
 */
const handledEvents = {
  "payment_intent.succeeded": intentItself,
  "charge.refunded": intentOfObject,
  "charge.dispute.created": intentOfObject,
  "charge.dispute.updated": intentOfObject,
  "charge.dispute.closed": intentOfObject,
  "charge.dispute.funds_withdrawn": intentOfObject,
  "charge.dispute.funds_reinstated": intentOfObject,
  "refund.updated": intentOfObject,
  "refund.failed": intentOfObject,
} satisfies Partial<Record<Stripe.Event["type"], z.ZodType<string | undefined>>>;

export type HandledEvent = keyof typeof handledEvents;

export const handledEventTypes = Object.keys(handledEvents) as HandledEvent[];

const stripeEvent = z
  .looseObject({
    id: word,
    type: word,
    api_version: z.string().nullish(),
  })
  .transform((event, context): CardEvent => {
    const { id, type, api_version: version } = event;
    const read = {
      ...{ id, type, intentId: undefined },
      otherApiVersion: version && version !== apiVersion ? version : undefined,
    };
    const schema = Object.hasOwn(handledEvents, type) && handledEvents[type as HandledEvent];
    if (!schema) return read;
    const parsed = schema.safeParse(event.data);
    if (parsed.success) return { ...read, intentId: parsed.data };
    context.addIssue({ code: "custom", message: "data does not match the type" });
    return z.NEVER;
  });

/** An event from the provider's own list. */
export function toEvent(event: Stripe.Event): ListedEvent {
  return { ...stripeEvent.parse(event), createdAt: new Date(event.created * 1_000) };
}

type SignedBody = { bytes: Buffer; signature: string; webhookSecret: string };

/** Verifies and parses a webhook request. Refuses `BAD_SIGNATURE`, and `BAD_REQUEST` for what is no event. */
export function readEvent(stripe: Stripe, from: SignedBody): CardEvent {
  const parsed = stripeEvent.safeParse(verified(stripe, from));
  if (parsed.success) return parsed.data;
  throw new AppError(
    "BAD_REQUEST",
    "This is signed, but it is not an event of the card provider. Send events as Stripe does.",
  );
}

/** The signed JSON; undefined if the signature is valid but the body is not JSON. */
function verified(stripe: Stripe, { bytes, signature, webhookSecret }: SignedBody): unknown {
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
