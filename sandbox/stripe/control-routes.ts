import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { flipDispute } from "./disputes.ts";
import { type Faults, faultSet } from "./fault-injection.ts";
import { applyOutcome, failRefund } from "./refunds.ts";
import { sellerControls } from "./seller-controls.ts";
import type { Store } from "./store.ts";
import type { WebhookDispatcher } from "./webhook-dispatcher.ts";

const everything = { limit: 1_000_000 };
const intentOfRefunds = z.strictObject({ payment_intent: z.string() });
const identified = z.strictObject({ id: z.string() });
const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** Fault injection and ledger routes for tests. They answer loopback connections only. */
export function controlRoutes(
  app: FastifyInstance,
  { store, dispatcher, faults }: { store: Store; dispatcher: WebhookDispatcher; faults: Faults },
): void {
  // Accepts JSON only, so that a cross-origin page needs a CORS preflight, which fails.
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
      .dueOutcomes(Number.MAX_SAFE_INTEGER)
      .filter((id) => store.find("refund", id)?.payment_intent === payment_intent);
    store.transaction(() => {
      for (const id of waiting) applyOutcome(store, id);
    });
    dispatcher.wake();
    return { applied: waiting.length };
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
