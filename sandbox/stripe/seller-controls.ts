import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { findAccount, setCapabilities } from "./accounts.ts";
import { automaticPayouts } from "./balance.ts";
import { unixSeconds } from "./clock.ts";
import { advanceClock } from "./clock-page.ts";
import type { Store } from "./store.ts";
import type { WebhookDispatcher } from "./webhook-dispatcher.ts";

const maxSeconds = 400 * 24 * 60 * 60;
const clock = z.strictObject({ advanceSeconds: z.int().min(0).max(maxSeconds) });

const status = z.enum(["active", "pending", "rejected", "restricted"]).optional();
const capabilities = z.strictObject({
  account: z.string(),
  stripe_transfers: status,
  payouts: status,
});

const schedule = z.strictObject({ isAutomatic: z.boolean() });
const platform = z.strictObject({ enabled: z.boolean() });

type Deps = { store: Store; dispatcher: WebhookDispatcher };

/** Simulates how time, Stripe's staff and Stripe's checks change sellers' accounts. */
export function sellerControls(app: FastifyInstance, { store, dispatcher }: Deps): void {
  app.get("/_control/clock", async () => ({ now: unixSeconds() }));

  app.post("/_control/clock", async (request) => {
    advanceClock(store, clock.parse(request.body).advanceSeconds);
    dispatcher.wake();
    return { now: unixSeconds() };
  });

  app.post("/_control/capabilities", async (request) => {
    const { account, ...wanted } = capabilities.parse(request.body);
    store.transaction(() => setCapabilities(store, findAccount(store, account), wanted));
    dispatcher.wake();
    return { account };
  });

  app.post("/_control/payout-schedule", async (request) => {
    const { isAutomatic } = schedule.parse(request.body);
    store.writeSetting(automaticPayouts, isAutomatic ? 1 : 0);
    return { isAutomatic };
  });

  app.post("/_control/connect", async (request) => {
    const { enabled } = platform.parse(request.body);
    store.writeSetting("connect_off", enabled ? 0 : 1);
    return { enabled };
  });
}
