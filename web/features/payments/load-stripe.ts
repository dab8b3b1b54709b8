import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";

const loaded = new Map<string, Promise<Stripe | null>>();

/**
 * Loads Stripe.js once per key and script; null on the server. A null `scriptUrl` loads Stripe's
 * own script. Rejects with a message for the user; a later call retries.
 */
export function loadStripeFor(
  publishableKey: string,
  scriptUrl: string | null,
): Promise<Stripe | null> {
  if (typeof document === "undefined") return Promise.resolve(null);
  const which = `${publishableKey} ${scriptUrl}`;
  const known = loaded.get(which);
  if (known) return known;

  const loading = load(publishableKey, scriptUrl).catch((cause: unknown) => {
    loaded.delete(which);
    const message = "We couldn't load the card form. Check your connection and try again.";
    throw new Error(message, { cause });
  });
  loaded.set(which, loading);
  return loading;
}

async function load(publishableKey: string, scriptUrl: string | null): Promise<Stripe | null> {
  if (scriptUrl !== null) await insertScript(scriptUrl);
  // With `window.Stripe` set, the official loader uses that object and loads nothing.
  return loadStripe(publishableKey);
}

function insertScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.type = "module";
    script.src = src;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`No script at ${src}`));
    };
    document.head.append(script);
  });
}
