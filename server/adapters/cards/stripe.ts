import type { Stripe } from "stripe";
import { type Cards, type Intent, transferGroupOf } from "./port.ts";
import {
  callWithKey,
  listAll,
  type StripeConnection,
  stripeClient,
  toRefusal,
  unless,
} from "./stripe-client.ts";
import { stripeDisputes } from "./stripe-disputes.ts";
import {
  chargeOf,
  toBalanceTransaction,
  toIntent,
  toRefund,
  unknownIntent,
} from "./stripe-objects.ts";
import { stripePayouts } from "./stripe-payouts.ts";
import { handledEventTypes, readEvent, toEvent } from "./stripe-webhook-events.ts";

type StripeSettings = StripeConnection & {
  webhookSecret: string;
  /** Signs events from sellers' accounts. */
  connectWebhookSecret?: string | undefined;
  /** For sellers' accounts (ISO 3166-1 alpha-2), `us` by default. */
  sellerCountry?: string | undefined;
  browser: Cards["browser"];
  /** Follows the account's name on bank statements. By default, derived from the shop's name. */
  statementDescriptorSuffix?: string | undefined;
};

/** Uses Stripe, or a server that has the same API (docs.stripe.com/api). */
export function stripeCards(settings: StripeSettings): Cards {
  const { browser, statementDescriptorSuffix, sellerCountry = "us" } = settings;
  const secrets = [settings.webhookSecret, settings.connectWebhookSecret ?? []].flat();
  const { open, call } = stripeClient(settings);
  return {
    ...stripePayouts(call, { sellerCountry }),
    ...stripeDisputes(call),
    browser,
    async openIntent({ bookingId, amountCents, currency, email, shopName = "" }) {
      const suffix = statementDescriptorSuffix ?? statementSuffixOf(shopName);
      const order = {
        amount: amountCents,
        currency,
        receipt_email: email,
        allowed_payment_method_types: ["card"],
        metadata: { bookingId },
        transfer_group: transferGroupOf(bookingId),
        ...(suffix !== undefined && { statement_descriptor_suffix: suffix }),
      } satisfies Stripe.PaymentIntentCreateParams;
      // Stripe rejects a key reused with other parameters, so the key has amount and suffix.
      const intent = await callWithKey(
        `booking-${bookingId}-${amountCents}-${suffix ?? ""}`,
        (key) => call("payment_intent", (stripe) => stripe.paymentIntents.create(order, key)),
      );
      return toIntent(intent);
    },
    findIntent,
    async cancelIntent(intentId) {
      const cancelled = await call("payment_intent", (stripe) =>
        stripe.paymentIntents.cancel(intentId),
      ).catch(unless("payment_intent_unexpected_state", "resource_missing"));
      return cancelled ? toIntent(cancelled) : await findIntent(intentId);
    },
    async refund({ intentId, amountCents: amount, metadata, idempotencyKey }) {
      const wanted = { payment_intent: intentId, amount, metadata };
      return await call("refund", (stripe) => stripe.refunds.create(wanted, { idempotencyKey }))
        .then(toRefund)
        .catch(toRefusal);
    },
    readEvent: async (bytes, signature) => readEvent(await open(), { bytes, signature, secrets }),
    async listEvents(since) {
      const wanted = { types: handledEventTypes, ...createdSince(since) };
      const listed = await listAll(call, (stripe, page) =>
        stripe.events.list({ ...wanted, ...page }),
      );
      return listed.map(toEvent);
    },
    async listBalanceTransactions(since) {
      const wanted = { expand: ["data.source"], ...createdSince(since) };
      const listed = await listAll(call, (stripe, page) =>
        stripe.balanceTransactions.list({ ...wanted, ...page }),
      );
      // Omits the reserve's own entries, which `readBalance` doesn't include either.
      return listed.filter((one) => one.balance_type !== "risk_reserved").map(toBalanceTransaction);
    },
    async readBalance(currency) {
      const { available, pending } = await call("balance", (stripe) => stripe.balance.retrieve());
      return [...available, ...pending]
        .filter((part) => part.currency === currency)
        .reduce((sum, { amount }) => sum + amount, 0);
    },
  };

  async function findIntent(id: string): Promise<Intent> {
    const found = await call("payment_intent", (stripe) =>
      stripe.paymentIntents.retrieve(id, { expand: ["latest_charge.refunds"] }),
    ).catch(unless("resource_missing"));
    if (!found) return { ...unknownIntent, id };
    if (!chargeOf(found)?.disputed) return toIntent(found);
    const disputes = await call("list", (stripe) => stripe.disputes.list({ payment_intent: id }));
    return toIntent(found, disputes.data);
  }
}

/** Banks show 22 characters: up to 10 for the account's name, then "* ", then the suffix. */
const maxSuffix = 10;

/**
 * Shortens the name for bank statements, at a space if possible. Undefined without a Latin letter
 * (docs.stripe.com/get-started/account/statement-descriptors).
 */
export function statementSuffixOf(name: string): string | undefined {
  const latin = name
    .normalize("NFKD")
    .replaceAll(/[^ -~]|[<>\\'"*]/g, "")
    .trim();
  const words = latin.slice(0, maxSuffix + 1).replace(/ \S*$/, "");
  const suffix = (latin.length > maxSuffix ? words : latin).slice(0, maxSuffix).trim();
  return /[A-Za-z]/.test(suffix) ? suffix : undefined;
}

function createdSince(since: Date | undefined) {
  return since && { created: { gte: Math.floor(since.getTime() / 1_000) } };
}
