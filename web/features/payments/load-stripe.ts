import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";

const loaded = new Map<string, Promise<Stripe | null>>();

/**
 * The card provider's `Stripe` object, loaded once however often asked for; null where there is no
 * browser. `scriptUrl` is where a stand-in has its script, null means the provider's own. Rejects
 * with a sentence for the payer when it cannot be loaded; asked again, it tries again.
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
  // With a `window.Stripe` already there the official loader takes that one and loads nothing.
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
