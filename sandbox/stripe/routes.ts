import type { FastifyInstance } from "fastify";
import { type AnsweringDeps, lists, reads, writes } from "./answering.ts";
import { invalidRequest, noSuch } from "./errors.ts";
import type { Payment } from "./intents.ts";
import { authenticate, cancelIntent, confirmIntent, createIntent } from "./intents.ts";
import type { ConfirmParams } from "./params.ts";
import {
  authenticateParams,
  cancelParams,
  confirmParams,
  createIntentParams,
  refundParams,
} from "./params.ts";
import { createRefund } from "./refunds.ts";
import { cardByNumber, cardByPaymentMethod } from "./test-cards.ts";

const forBrowsers = { config: { forBrowsers: true } } as const;

/** The calls of Stripe's API that the shop, the card fields and the tests make. */
export function routes(app: FastifyInstance, deps: AnsweringDeps): void {
  writingRoutes(app, deps);

  app.get("/payment_intents/:id", forBrowsers, reads(deps, "payment_intent"));
  app.get("/payment_intents", lists(deps, "payment_intent"));
  app.get("/payment_methods/:id", reads(deps, "payment_method"));
  app.get("/charges/:id", reads(deps, "charge"));
  app.get("/charges", lists(deps, "charge"));
  app.get("/refunds/:id", reads(deps, "refund"));
  app.get("/refunds", lists(deps, "refund"));
  app.get("/events/:id", reads(deps, "event"));
  app.get("/events", lists(deps, "event"));
}

function writingRoutes(app: FastifyInstance, deps: AnsweringDeps): void {
  const { store } = deps;

  app.post(
    "/payment_intents",
    writes(deps, createIntentParams, (params) => createIntent(store, params)),
  );
  app.post(
    "/payment_intents/:id/confirm",
    forBrowsers,
    writes(deps, confirmParams, (params, id) => confirmIntent(store, id, paymentOf(params))),
  );
  // Not Stripe's: what the bank's page tells the provider once the payer has answered it.
  app.post(
    "/payment_intents/:id/authenticate",
    forBrowsers,
    writes(deps, authenticateParams, (params, id) => authenticate(store, id, params.outcome)),
  );
  app.post(
    "/payment_intents/:id/cancel",
    writes(deps, cancelParams, (params, id) =>
      cancelIntent(store, id, params.cancellation_reason ?? null),
    ),
  );
  app.post(
    "/refunds",
    writes(deps, refundParams, (params) => createRefund(store, params)),
  );
}

function paymentOf({ payment_method: id, payment_method_data: data }: ConfirmParams): Payment {
  if (data) return { card: cardByNumber(data.card.number), payer: data.billing_details };
  if (id === undefined) {
    const message =
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.";
    throw invalidRequest(message, { code: "payment_intent_unexpected_state" });
  }
  const card = cardByPaymentMethod(id);
  if (!card) throw noSuch("PaymentMethod", id);
  return { card, payer: { name: null, email: null } };
}
