import type { Cards, Intent, ListedEvent, RefundAnswer, RefundOrder } from "./port.ts";
import { refusalCode, type StripeConnection, stripeClient, unless } from "./stripe-client.ts";
import { handledEventTypes, readEvent, toEvent } from "./stripe-events.ts";
import { chargeOf, isFailed, toIntent, unknownIntent } from "./stripe-objects.ts";

export type StripeSettings = StripeConnection & {
  webhookSecret: string;
  browser: Cards["browser"];
  /** Follows the account's name on bank statements. */
  statementDescriptorSuffix?: string | undefined;
};

/** Stripe, or a server with the same API (docs.stripe.com/api). */
export function stripeCards(settings: StripeSettings): Cards {
  const { webhookSecret, browser, statementDescriptorSuffix: suffix } = settings;
  const { open, call } = stripeClient(settings);
  return {
    browser,
    async openIntent({ bookingId, amountCents, currency, email }) {
      const order = {
        amount: amountCents,
        currency,
        receipt_email: email,
        payment_method_types: ["card"],
        metadata: { bookingId },
        ...(suffix !== undefined && { statement_descriptor_suffix: suffix }),
      };
      // Stripe remembers the key for a day, so a second call returns the first intent.
      const key = { idempotencyKey: `booking-${bookingId}` };
      const intent = await call("payment_intent", (stripe) =>
        stripe.paymentIntents.create(order, key),
      );
      return toIntent(intent);
    },
    async findIntent(intentId) {
      return await find(intentId);
    },
    async cancelIntent(intentId) {
      const cancelled = await call("payment_intent", (stripe) =>
        stripe.paymentIntents.cancel(intentId),
      ).catch(unless("payment_intent_unexpected_state", "resource_missing"));
      return cancelled ? toIntent(cancelled) : await find(intentId);
    },
    refund,
    readEvent: async (bytes, signature) =>
      readEvent(await open(), { bytes, signature, webhookSecret }),
    listEvents,
  };

  async function listEvents(since: Date | undefined): Promise<ListedEvent[]> {
    const wanted = {
      types: handledEventTypes,
      limit: 50,
      ...(since && { created: { gte: Math.floor(since.getTime() / 1_000) } }),
    };
    const events: ListedEvent[] = [];
    for (let after: string | undefined; ; ) {
      const page = await call("list", (stripe) =>
        stripe.events.list({ ...wanted, ...(after !== undefined && { starting_after: after }) }),
      );
      events.push(...page.data.map(toEvent));
      after = page.data.at(-1)?.id;
      if (!page.has_more || after === undefined) return events;
    }
  }

  async function find(id: string): Promise<Intent> {
    const found = await call("payment_intent", (stripe) =>
      stripe.paymentIntents.retrieve(id, { expand: ["latest_charge.refunds"] }),
    ).catch(unless("resource_missing"));
    if (!found) return { ...unknownIntent, id };
    if (!chargeOf(found)?.disputed) return toIntent(found);
    const disputes = await call("list", (stripe) => stripe.disputes.list({ payment_intent: id }));
    return toIntent(found, disputes.data);
  }

  async function refund({ intentId, attempt }: RefundOrder): Promise<RefundAnswer> {
    const key = attempt === 1 ? `refund-${intentId}` : `refund-${intentId}-${attempt}`;
    try {
      const { id } = await call("refund", (stripe) =>
        stripe.refunds.create({ payment_intent: intentId }, { idempotencyKey: key }),
      );
      return { id };
    } catch (error) {
      const refused = refusalCode(error) ?? "";
      if (!neverRefunded.includes(refused)) throw error;
      // A partial refund in the dashboard, say, is not this one.
      if (refused !== alreadyRefunded) return { refused };
      // Refunded in the dashboard, or by us more than a day ago: Stripe has forgotten the idempotency key.
      const { data } = await call("list", (stripe) =>
        stripe.refunds.list({ payment_intent: intentId }),
      );
      const accepted = data.find((one) => !isFailed(one));
      return accepted ? { id: accepted.id } : { refused };
    }
  }
}

const alreadyRefunded = "charge_already_refunded";

/** Refusals of a refund that no later attempt gets past. */
const neverRefunded = [alreadyRefunded, "charge_disputed", "refund_disputed_payment"];
