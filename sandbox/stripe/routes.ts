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
  type Params,
  retrieveHandler,
  type WriteVerb,
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

/** Serves payments, disputes, webhook endpoints, transfers and payouts. */
export function routes(app: FastifyInstance, deps: HandlerDeps): void {
  const { store } = deps;
  const post = <S extends Params>(path: string, schema: S, verb: WriteVerb<S>, options = {}) =>
    app.post(path, options, writeHandler(deps, schema, verb));

  post("/payment_intents", createIntentParams, (params) => createIntent(store, params));
  app.get("/payment_intents/:id", retrieveHandler(deps, "payment_intent"));
  post(
    "/payment_intents/:id/confirm",
    confirmParams,
    (params, id) => confirmIntent(store, id, paymentOf(params)),
    allowPublishableKey,
  );
  // Not in Stripe's API: reports the result of the 3-D Secure challenge page.
  post(
    "/payment_intents/:id/authenticate",
    authenticateParams,
    (params, id) => authenticate(store, id, params.outcome),
    allowPublishableKey,
  );
  post("/payment_intents/:id/cancel", bareParams, (_, id) => cancelIntent(store, id));
  post("/refunds", refundParams, (params) => createRefund(store, params));

  app.get("/disputes", listHandler(deps, "dispute"));
  app.get("/disputes/:id", retrieveHandler(deps, "dispute"));
  post("/disputes/:id", evidenceParams, ({ evidence }, id) => submitEvidence(store, id, evidence));
  post("/files", fileParams, (params) => createFile(store, params));
  app.get<{ Params: { id: string } }>("/files/:id/contents", async ({ params }, reply) =>
    reply.type("application/octet-stream").send(readContents(store, params.id)),
  );

  app.get("/webhook_endpoints", listHandler(deps, "webhook_endpoint"));
  post("/webhook_endpoints", createEndpointParams, (params) => createEndpoint(store, params));
  post("/webhook_endpoints/:id", updateEndpointParams, (params, id) =>
    updateEndpoint(store, id, params),
  );
  app.delete(
    "/webhook_endpoints/:id",
    writeHandler(deps, bareParams, (_, id) => deleteEndpoint(store, id)),
  );
  app.get("/events", listHandler(deps, "event"));

  app.get("/balance", computedHandler(deps, readBalance));
  app.get("/balance_settings", computedHandler(deps, readBalanceSettings));
  app.get("/balance_transactions", listHandler(deps, "balance_transaction"));

  // Transfers leave the shop's account, payouts the account in `Stripe-Account`.
  post("/transfers", transferParams, (params) => createTransfer(store, params));
  app.get("/transfers", listHandler(deps, "transfer"));
  post("/transfers/:id/reversals", reversalParams, (params, id) =>
    reverseTransfer(store, id, params),
  );
  app.get("/transfers/:id/reversals", listHandler(deps, "transfer_reversal"));
  post("/payouts", payoutParams, (params, _, account) => createPayout(store, params, account));
  app.get("/payouts", listHandler(deps, "payout"));
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
