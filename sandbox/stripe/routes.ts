import type { FastifyInstance } from "fastify";
import { readBalance, readBalanceSettings } from "./balance.ts";
import { submitEvidence } from "./disputes.ts";
import { invalidRequest, resourceMissing } from "./errors.ts";
import { createEndpoint, deleteEndpoint, updateEndpoint } from "./event-destinations.ts";
import { createFile, readContents } from "./files.ts";
import {
  computedHandler,
  type HandlerDeps,
  listHandler,
  retrieveHandler,
  writeHandler,
} from "./handlers.ts";
import {
  authenticateParams,
  bareParams,
  type ConfirmParams,
  confirmParams,
  createEndpointParams,
  createIntentParams,
  evidenceParams,
  fileParams,
  payoutParams,
  refundParams,
  reversalParams,
  transferParams,
  updateEndpointParams,
} from "./params.ts";
import {
  authenticate,
  cancelIntent,
  confirmIntent,
  createIntent,
  type Payment,
} from "./payment-intents.ts";
import { createPayout } from "./payouts.ts";
import { createRefund } from "./refunds.ts";
import { cardByNumber, cardByPaymentMethod } from "./test-cards.ts";
import { createTransfer, reverseTransfer } from "./transfers.ts";

const allowPublishableKey = { config: { allowPublishableKey: true } } as const;

export function routes(app: FastifyInstance, deps: HandlerDeps): void {
  paymentRoutes(app, deps);
  disputeRoutes(app, deps);
  endpointRoutes(app, deps);
  connectRoutes(app, deps);

  app.get("/payment_intents/:id", retrieveHandler(deps, "payment_intent"));
  app.get("/disputes/:id", retrieveHandler(deps, "dispute"));
  app.get("/disputes", listHandler(deps, "dispute"));
  app.get("/balance", computedHandler(deps, readBalance));
  app.get("/balance_settings", computedHandler(deps, readBalanceSettings));
  app.get("/balance_transactions", listHandler(deps, "balance_transaction"));
  app.get("/webhook_endpoints", listHandler(deps, "webhook_endpoint"));
  app.get("/events", listHandler(deps, "event"));
}

function disputeRoutes(app: FastifyInstance, deps: HandlerDeps): void {
  const { store } = deps;
  app.post(
    "/disputes/:id",
    writeHandler(deps, evidenceParams, ({ evidence }, id) => submitEvidence(store, id, evidence)),
  );
  app.post(
    "/files",
    writeHandler(deps, fileParams, (params) => createFile(store, params)),
  );
  app.get<{ Params: { id: string } }>("/files/:id/contents", async ({ params }, reply) =>
    reply.type("application/octet-stream").send(readContents(store, params.id)),
  );
}

function endpointRoutes(app: FastifyInstance, deps: HandlerDeps): void {
  const { store } = deps;
  app.post(
    "/webhook_endpoints",
    writeHandler(deps, createEndpointParams, (params) => createEndpoint(store, params)),
  );
  app.post(
    "/webhook_endpoints/:id",
    writeHandler(deps, updateEndpointParams, (params, id) => updateEndpoint(store, id, params)),
  );
  app.delete(
    "/webhook_endpoints/:id",
    writeHandler(deps, bareParams, (_, id) => deleteEndpoint(store, id)),
  );
}

function paymentRoutes(app: FastifyInstance, deps: HandlerDeps): void {
  const { store } = deps;

  app.post(
    "/payment_intents",
    writeHandler(deps, createIntentParams, (params) => createIntent(store, params)),
  );
  app.post(
    "/payment_intents/:id/confirm",
    allowPublishableKey,
    writeHandler(deps, confirmParams, (params, id) => confirmIntent(store, id, paymentOf(params))),
  );
  // Not in Stripe's API: reports the result of the 3-D Secure challenge page.
  app.post(
    "/payment_intents/:id/authenticate",
    allowPublishableKey,
    writeHandler(deps, authenticateParams, (params, id) => authenticate(store, id, params.outcome)),
  );
  app.post(
    "/payment_intents/:id/cancel",
    writeHandler(deps, bareParams, (_, id) => cancelIntent(store, id)),
  );
  app.post(
    "/refunds",
    writeHandler(deps, refundParams, (params) => createRefund(store, params)),
  );
}

function paymentOf({ payment_method: id, payment_method_data: data }: ConfirmParams): Payment {
  if (data) {
    const { number, exp_month: month, exp_year: year } = data.card;
    return { card: cardByNumber(number), payer: data.billing_details, expiry: { month, year } };
  }
  if (id === undefined) {
    const message =
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.";
    throw invalidRequest(message, { code: "payment_intent_unexpected_state" });
  }
  const card = cardByPaymentMethod(id);
  if (!card) throw resourceMissing("PaymentMethod", id);
  const expiry = { month: 12, year: new Date().getFullYear() + 1 };
  return { card, payer: { name: null, email: null }, expiry };
}

/** Serves transfers from the shop's account, and payouts from the account in `Stripe-Account`. */
function connectRoutes(app: FastifyInstance, deps: HandlerDeps): void {
  const { store } = deps;
  app.post(
    "/transfers",
    writeHandler(deps, transferParams, (params) => createTransfer(store, params)),
  );
  app.get("/transfers", listHandler(deps, "transfer"));
  app.post(
    "/transfers/:id/reversals",
    writeHandler(deps, reversalParams, (params, id) => reverseTransfer(store, id, params)),
  );
  app.get("/transfers/:id/reversals", listHandler(deps, "transfer_reversal"));
  app.post(
    "/payouts",
    writeHandler(deps, payoutParams, (params, _, account) => createPayout(store, params, account)),
  );
  app.get("/payouts", listHandler(deps, "payout"));
}
