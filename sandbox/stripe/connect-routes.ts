import type { FastifyInstance } from "fastify";
import { type HandlerDeps, listHandler, retrieveHandler, writeHandler } from "./handlers.ts";
import { payoutParams, reversalParams, transferParams } from "./params.ts";
import { createPayout } from "./payouts.ts";
import { createTransfer, reverseTransfer } from "./transfers.ts";

/** Transfers of the shop's own account, and payouts of the account that `Stripe-Account` names. */
export function connectRoutes(app: FastifyInstance, deps: HandlerDeps): void {
  const { store } = deps;
  app.post(
    "/transfers",
    writeHandler(deps, transferParams, (params) => createTransfer(store, params)),
  );
  app.get("/transfers", listHandler(deps, "transfer"));
  app.get("/transfers/:id", retrieveHandler(deps, "transfer"));
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
  app.get("/payouts/:id", retrieveHandler(deps, "payout"));
}
