import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { findAccount, setCapabilities } from "./accounts.ts";
import { advanceClock } from "./advance-clock.ts";
import { automaticPayouts } from "./balance.ts";
import { unixSeconds } from "./clock.ts";
import { flipDispute, openDispute } from "./disputes.ts";
import { resourceMissing } from "./errors.ts";
import { type Faults, faultSet } from "./fault-injection.ts";
import { findIntent } from "./payment-intents.ts";
import { applyOutcome, failRefund } from "./refunds.ts";
import type { Store } from "./store.ts";
import type { WebhookDispatcher } from "./webhook-dispatcher.ts";

const everything = { limit: 1_000_000 };
const loopback = /^(127\.|::1$|::ffff:127\.)/;

const maxSeconds = 400 * 24 * 60 * 60;
const status = z.enum(["active", "pending", "rejected", "restricted"]).optional();
const wanted = {
  clock: z.strictObject({ advanceSeconds: z.int().min(0).max(maxSeconds) }),
  payoutSchedule: z.strictObject({ isAutomatic: z.boolean() }),
  connect: z.strictObject({ enabled: z.boolean() }),
  capabilities: z.strictObject({ account: z.string(), stripe_transfers: status, payouts: status }),
  intent: z.strictObject({ payment_intent: z.string() }),
  dispute: z.strictObject({ payment_intent: z.string(), amount: z.int().positive() }),
  object: z.strictObject({ id: z.string() }),
};

/** Registers `POST /_control` plus `path`. */
type Control = <S extends z.ZodType>(
  path: string,
  schema: S,
  act: (given: z.output<S>) => void,
) => void;

type Deps = { store: Store; dispatcher: WebhookDispatcher; faults: Faults };

/** Serves the routes by which tests control the sandbox, to this machine only. */
export function controlRoutes(app: FastifyInstance, { store, dispatcher, faults }: Deps): void {
  // Accepts only JSON, so that a cross-origin page needs a CORS preflight, which fails.
  app.removeContentTypeParser("text/plain");
  app.addHook("onRequest", async (request, reply) => {
    if (!loopback.test(request.socket.remoteAddress ?? "")) return reply.code(404).send();
  });
  const control: Control = (path, schema, act) => {
    app.post(`/_control${path}`, async (request, reply) => {
      const given = schema.safeParse(request.body);
      if (!given.success) return reply.code(400).send({ message: z.prettifyError(given.error) });
      act(given.data);
      dispatcher.wake();
      return {};
    });
  };
  control("", faultSet, (set) => {
    faults.set = set;
  });
  simulations(control, store);

  app.get("/_control/clock", async () => ({ now: unixSeconds() }));
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

function simulations(control: Control, store: Store): void {
  control("/clock", wanted.clock, ({ advanceSeconds }) => advanceClock(store, advanceSeconds));
  control("/payout-schedule", wanted.payoutSchedule, ({ isAutomatic }) =>
    store.writeSetting(automaticPayouts, isAutomatic ? 1 : 0),
  );
  control("/connect", wanted.connect, ({ enabled }) =>
    store.writeSetting("connect_off", enabled ? 0 : 1),
  );
  control("/capabilities", wanted.capabilities, ({ account, ...statuses }) =>
    store.transaction(() => setCapabilities(store, findAccount(store, account), statuses)),
  );
  control("/refund-outcomes", wanted.intent, ({ payment_intent }) =>
    store.transaction(() => {
      for (const id of store.listDue("refund", Number.MAX_SAFE_INTEGER))
        if (store.find("refund", id)?.payment_intent === payment_intent) applyOutcome(store, id);
    }),
  );
  control("/disputes", wanted.dispute, ({ payment_intent, amount }) => {
    const charge = store.find("charge", findIntent(store, payment_intent).latest_charge ?? "");
    if (!charge) throw resourceMissing("charge", payment_intent);
    const dispute = { reason: "product_not_received", inquiry: false, amount } as const;
    store.transaction(() => openDispute(store, charge, dispute));
  });
  control("/disputes/flip", wanted.object, ({ id }) =>
    store.transaction(() => void flipDispute(store, id)),
  );
  control("/refunds/fail", wanted.object, ({ id }) =>
    store.transaction(() => void failRefund(store, id)),
  );
}
