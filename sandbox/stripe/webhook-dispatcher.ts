import { createHmac } from "node:crypto";
import type { SandboxConfig } from "../config.ts";
import type { Faults } from "./fault-injection.ts";
import type { Store } from "./store.ts";
import type { Delivery } from "./store-queues.ts";

/** Seconds before each retry. The last value repeats. */
const BACKOFF_SECONDS = [0.2, 0.5, 1, 2, 5, 15, 60, 300, 900, 3600];
/** This many retries take about a day. */
const MAX_RETRIES = 33;

const TIMEOUT_MS = 10_000;

export type WebhookDispatcher = {
  /** Reschedules delivery after a new event or a change to the faults. */
  wake(): void;
  stop(): void;
};

type Deps = { store: Store; config: SandboxConfig["stripe"]; faults: Faults };

/** Sends signed events one after another, with retries until a 2xx response. */
export function startWebhookDispatcher(deps: Deps): WebhookDispatcher {
  const { store, config, faults } = deps;
  let timer: NodeJS.Timeout | undefined;
  let busy = false;
  let stopped = false;

  function wake() {
    clearTimeout(timer);
    const { hold, delayMs } = faults.set.webhook;
    const { webhookUrl: url } = config;
    if (stopped || busy || hold || !url) return;
    const next = store.nextDelivery();
    if (next === undefined) return;
    timer = setTimeout(() => void deliverDue(url), Math.max(0, next + delayMs - Date.now()));
  }

  async function deliverDue(url: string) {
    busy = true;
    const { delayMs, newestFirst } = faults.set.webhook;
    const due = store.dueDeliveries(Date.now() - delayMs);
    for (const delivery of newestFirst ? due.reverse() : due) {
      if (stopped || faults.set.webhook.hold) break;
      const accepted = await deliver(deps, delivery, url);
      if (!stopped) recordAttempt(store, delivery, accepted);
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

async function deliver(
  { config, faults }: Deps,
  { body }: Delivery,
  url: string,
): Promise<boolean> {
  const { object }: { object: string } = JSON.parse(body);
  const secret = object === "event" ? config.webhookSecret : config.connectWebhookSecret;
  const copies = Array.from({ length: faults.set.webhook.copies }, () =>
    sendEvent(url, body, secret),
  );
  return (await Promise.all(copies)).some((accepted) => accepted);
}

function recordAttempt(store: Store, { event, attempts }: Delivery, accepted: boolean): void {
  const expired = attempts >= MAX_RETRIES;
  const delaySeconds = BACKOFF_SECONDS[Math.min(attempts, BACKOFF_SECONDS.length - 1)] ?? 0;
  if (accepted || expired) store.removeDelivery(event);
  else store.postpone(event, Date.now() + delaySeconds * 1000);
}

async function sendEvent(url: string, body: string, secret: string): Promise<boolean> {
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "stripe-signature": sign(body, secret),
    "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
  };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
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
    return false;
  }
}

/** Returns the `Stripe-Signature` of a payload (https://docs.stripe.com/webhooks/signature). */
function sign(payload: string, secret: string): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const digest = createHmac("sha256", secret).update(`${timestamp}.${payload}`).digest("hex");
  return `t=${timestamp},v1=${digest}`;
}
