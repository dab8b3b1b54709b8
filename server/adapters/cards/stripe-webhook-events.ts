import type { Stripe } from "stripe";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import type { CardEvent, ListedEvent } from "./port.ts";
import { apiVersion, isStripeError } from "./stripe-client.ts";

const word = z.string().regex(/^[\w.-]{1,255}$/);

type Subject = Partial<Pick<CardEvent, "intentId" | "transferGroup">>;

const intentItself = z
  .object({ object: z.object({ id: word }) })
  .transform(({ object }): Subject => ({ intentId: object.id }));
/** Charges, refunds and disputes have an intent's id. Objects without one are not ours. */
const intentOfObject = z
  .object({ object: z.object({ payment_intent: word.nullish() }) })
  .transform(({ object }): Subject => ({ intentId: object.payment_intent ?? undefined }));
/** Transfers without a group are not the shop's. */
const groupOfTransfer = z
  .object({ object: z.object({ transfer_group: word.nullish() }) })
  .transform(({ object }): Subject => ({ transferGroup: object.transfer_group ?? undefined }));

/** The state is read from Stripe, not from the event, so events may repeat or be out of order. */
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
  "transfer.reversed": groupOfTransfer,
} satisfies Partial<Record<Stripe.Event["type"], z.ZodType<Subject>>>;

type HandledEvent = keyof typeof handledEvents;

export const handledEventTypes = Object.keys(handledEvents) as HandledEvent[];

export const handledAccountEventTypes = [
  "v2.core.account[configuration.recipient].capability_status_updated",
  "v2.core.account[requirements].updated",
  "v1.payout.paid",
  "v1.payout.failed",
] as const satisfies Stripe.V2.Core.EventNotification["type"][];

const noSubject = { intentId: undefined, accountId: undefined, transferGroup: undefined };

const snapshotEvent = z
  .looseObject({
    id: word,
    type: word,
    api_version: z.string().nullish(),
  })
  .transform((event, context): CardEvent => {
    const { id, type, api_version: version } = event;
    const read = {
      id,
      type,
      ...noSubject,
      otherApiVersion: version && version !== apiVersion ? version : undefined,
    };
    const schema = Object.hasOwn(handledEvents, type) && handledEvents[type as HandledEvent];
    if (!schema) return read;
    const parsed = schema.safeParse(event.data);
    if (parsed.success) return { ...read, ...parsed.data };
    context.addIssue({ code: "custom", message: "data does not match the type" });
    return z.NEVER;
  });

/** `context` is a path of account ids, the sending account last. */
const thinEvent = z
  .object({
    object: z.literal("v2.core.event"),
    id: word,
    type: z.string().regex(/^[\w.[\]-]{1,255}$/),
    context: z.string().nullish(),
    related_object: z.object({ id: word, type: z.string() }).nullish(),
  })
  .transform(({ id, type, context, related_object: about }): CardEvent => {
    const isHandled = (handledAccountEventTypes as readonly string[]).includes(type);
    const account = about?.type === "v2.core.account" ? about.id : context?.split("/").at(-1);
    const accountId = isHandled ? account : undefined;
    return { ...noSubject, id, type, accountId, otherApiVersion: undefined };
  });

const stripeEvent = z.union([thinEvent, snapshotEvent]);

export function toEvent(event: Stripe.Event): ListedEvent {
  return { ...snapshotEvent.parse(event), createdAt: new Date(event.created * 1_000) };
}

/** `secrets`: one for the shop's own account and, if configured, one for sellers' accounts. */
type SignedBody = { bytes: Buffer; signature: string; secrets: string[] };

/** Throws `BAD_SIGNATURE`, or `BAD_REQUEST` if the signed body is malformed. */
export function readEvent(stripe: Stripe, { bytes, signature, secrets }: SignedBody): CardEvent {
  if (!secrets.some((secret) => isSigned(stripe, { bytes, signature, secret })))
    throw new AppError(
      "BAD_SIGNATURE",
      "This event is not signed by the card provider, or is older than five minutes.",
    );
  const parsed = stripeEvent.safeParse(jsonOf(bytes));
  if (parsed.success) return parsed.data;
  throw new AppError(
    "BAD_REQUEST",
    "This is signed, but it is not an event of the card provider. Send events as Stripe does.",
  );
}

type Signed = { bytes: Buffer; signature: string; secret: string };

function isSigned({ webhooks }: Stripe, { bytes, signature, secret }: Signed): boolean {
  try {
    return webhooks.signature?.verifyHeader(bytes, signature, secret, 300) ?? false;
  } catch (error) {
    if (isStripeError(error, "StripeSignatureVerificationError")) return false;
    throw error;
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
