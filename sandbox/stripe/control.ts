import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { type Faults, faultSet } from "./faults.ts";
import type { Store } from "./store.ts";
import type { Courier } from "./webhooks.ts";

const everything = { limit: 1_000_000 };
const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** For tests, from this machine only: what goes wrong on purpose, and where the money is. */
export function control(
  app: FastifyInstance,
  { store, courier, faults }: { store: Store; courier: Courier; faults: Faults },
): void {
  // Only JSON is read: a page of another origin cannot send that without asking first.
  app.removeContentTypeParser("text/plain");
  app.addHook("onRequest", async (request, reply) => {
    if (!loopback.test(request.socket.remoteAddress ?? "")) return reply.code(404).send();
  });

  app.post("/_control", async (request, reply) => {
    const wanted = faultSet.safeParse(request.body);
    if (!wanted.success) return reply.code(400).send({ message: z.prettifyError(wanted.error) });
    faults.set = wanted.data;
    courier.wake();
    return faults.set;
  });

  app.get("/_control/ledger", async () => ({
    intents: store.list("payment_intent", everything),
    charges: store.list("charge", everything),
    refunds: store.list("refund", everything),
    undeliveredEvents: store.pendingDeliveries(),
  }));
}
