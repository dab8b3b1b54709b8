import { createHmac } from "node:crypto";
import type { SandboxConfig } from "../config.ts";
import type { Faults } from "./faults.ts";
import type { Delivery, Store } from "./store.ts";

/** Seconds until an event is tried again: fast at first, then every hour until it is a day old. */
const BACKOFF = [0.2, 0.5, 1, 2, 5, 15, 60, 300, 900, 3600];
const GIVE_UP_AFTER = 24 * 60 * 60;

/** How long, in milliseconds, the receiver has to answer. */
const PATIENCE = 10_000;

export type Courier = {
  /** Look again what is to be delivered: something has happened, or the faults have changed. */
  wake(): void;
  stop(): void;
};

type Deps = { store: Store; config: SandboxConfig["stripe"]; faults: Faults };

/** Brings queued events to the shop, signed, one after another, until it answers 2xx. */
export function startCourier(deps: Deps): Courier {
  const { store, config, faults } = deps;
  let timer: NodeJS.Timeout | undefined;
  let busy = false;
  let stopped = false;

  function wake() {
    clearTimeout(timer);
    const { hold, delayMs, url = config.webhookUrl } = faults.set.webhook;
    if (stopped || busy || hold || !url) return;
    const next = store.nextDelivery();
    if (next === undefined) return;
    timer = setTimeout(() => void round(url), Math.max(0, next + delayMs - Date.now()));
  }

  async function round(url: string) {
    busy = true;
    const { delayMs, newestFirst } = faults.set.webhook;
    const due = store.dueDeliveries(Date.now() - delayMs);
    for (const delivery of newestFirst ? due.reverse() : due) {
      if (stopped || faults.set.webhook.hold) break;
      const accepted = await bring(deps, delivery, url);
      if (!stopped) record(store, delivery, accepted);
    }
    busy = false;
    wake();
  }

  wake();
  return {
    wake,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function bring({ config, faults }: Deps, { body }: Delivery, url: string): Promise<boolean> {
  const copies = Array.from({ length: faults.set.webhook.copies }, () =>
    post(url, body, config.webhookSecret),
  );
  return (await Promise.all(copies)).some((accepted) => accepted);
}

function record(store: Store, { event, body, attempts }: Delivery, accepted: boolean): void {
  const { created }: { created: number } = JSON.parse(body);
  const tooOld = Date.now() / 1000 - created > GIVE_UP_AFTER;
  const pause = BACKOFF[Math.min(attempts, BACKOFF.length - 1)] ?? 0;
  if (accepted || tooOld) store.endDelivery(event);
  else store.postpone(event, Date.now() + pause * 1000);
}

async function post(url: string, body: string, secret: string): Promise<boolean> {
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "stripe-signature": sign(body, secret),
    "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
  };
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      signal,
      redirect: "manual",
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Nobody there, or not in time: the queue keeps the event.
    return false;
  }
}

/** The `Stripe-Signature` of a payload (https://docs.stripe.com/webhooks/signature). */
function sign(payload: string, secret: string): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const digest = createHmac("sha256", secret).update(`${timestamp}.${payload}`).digest("hex");
  return `t=${timestamp},v1=${digest}`;
}
