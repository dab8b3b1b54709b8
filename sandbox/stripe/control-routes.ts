import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { flipDispute, openDispute } from "./disputes.ts";
import { resourceMissing } from "./errors.ts";
import { type Faults, faultSet } from "./fault-injection.ts";
import { findIntent } from "./payment-intents.ts";
import { applyOutcome, failRefund } from "./refunds.ts";
import { sellerControls } from "./seller-controls.ts";
import type { Store } from "./store.ts";
import type { WebhookDispatcher } from "./webhook-dispatcher.ts";

const everything = { limit: 1_000_000 };
const intentOfRefunds = z.strictObject({ payment_intent: z.string() });
const wantedDispute = z.strictObject({ payment_intent: z.string(), amount: z.int().positive() });
const identified = z.strictObject({ id: z.string() });
const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** For tests. Accepts loopback connections only. */
export function controlRoutes(
  app: FastifyInstance,
  { store, dispatcher, faults }: { store: Store; dispatcher: WebhookDispatcher; faults: Faults },
): void {
  // Accepts only JSON, so that a cross-origin page needs a CORS preflight, which fails.
  app.removeContentTypeParser("text/plain");
  app.addHook("onRequest", async (request, reply) => {
    if (!loopback.test(request.socket.remoteAddress ?? "")) return reply.code(404).send();
  });

  app.post("/_control", async (request, reply) => {
    const wanted = faultSet.safeParse(request.body);
    if (!wanted.success) return reply.code(400).send({ message: z.prettifyError(wanted.error) });
    faults.set = wanted.data;
    dispatcher.wake();
    return faults.set;
  });

  app.post("/_control/refund-outcomes", async (request) => {
    const { payment_intent } = intentOfRefunds.parse(request.body);
    const waiting = store
      .listDue("refund", Number.MAX_SAFE_INTEGER)
      .filter((id) => store.find("refund", id)?.payment_intent === payment_intent);
    store.transaction(() => {
      for (const id of waiting) applyOutcome(store, id);
    });
    dispatcher.wake();
    return { applied: waiting.length };
  });

  app.post("/_control/disputes", async (request) => {
    const { payment_intent, amount } = wantedDispute.parse(request.body);
    const charge = store.find("charge", findIntent(store, payment_intent).latest_charge ?? "");
    if (!charge) throw resourceMissing("charge", payment_intent);
    const dispute = { reason: "product_not_received", inquiry: false, amount } as const;
    store.transaction(() => openDispute(store, charge, dispute));
    dispatcher.wake();
    return {};
  });

  sellerControls(app, { store, dispatcher });
  const acts = { "/disputes/flip": flipDispute, "/refunds/fail": failRefund };
  for (const [path, act] of Object.entries(acts))
    app.post(`/_control${path}`, async (request) => {
      const { id } = identified.parse(request.body);
      const { body } = store.transaction(() => act(store, id));
      dispatcher.wake();
      return body;
    });

  app.get("/_control/ledger", async () => ({
    intents: store.list("payment_intent", everything),
    charges: store.list("charge", everything),
    refunds: store.list("refund", everything),
    disputes: store.list("dispute", everything),
    balanceTransactions: store.list("balance_transaction", everything),
    transfers: store.list("transfer", everything),
    files: store.list("file", everything),
    undeliveredEvents: store.pendingDeliveries(),
  }));
}
