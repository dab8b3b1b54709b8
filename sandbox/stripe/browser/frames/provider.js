/**
 * How a frame speaks with the page it is in, and with the provider's API.
 *
 * @typedef {import("@stripe/stripe-js").PaymentIntentResult} Result
 */

/** Longer than any answer should take, in milliseconds. */
const PATIENCE = 10_000;

/**
 * Waits for the page's greeting and answers the private line it brings. Only the page that holds
 * this frame may greet it, and only from an address of this machine.
 *
 * @template T
 * @param {(greeting: T, port: MessagePort) => void} onGreeting
 */
export function awaitGreeting(onGreeting) {
  window.addEventListener("message", (event) => {
    const port = event.ports[0];
    const hostname = URL.parse(event.origin)?.hostname;
    const near = hostname === "localhost" || hostname === "127.0.0.1";
    if (event.source === window.parent && near && port) onGreeting(event.data, port);
  });
}

/**
 * Calls the API for the payment of this client secret, as a browser may.
 *
 * @param {{ key: string, clientSecret: string }} payment
 * @param {"confirm" | "authenticate"} verb
 * @param {Record<string, string>} params
 * @returns {Promise<Result>}
 */
export async function callProvider({ key, clientSecret }, verb, params) {
  const [id = ""] = clientSecret.split("_secret_");
  try {
    const response = await fetch(`/v1/payment_intents/${encodeURIComponent(id)}/${verb}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: new URLSearchParams({ ...params, client_secret: clientSecret }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    const answer = await response.json();
    return response.ok ? { paymentIntent: answer } : { error: answer.error };
  } catch {
    // Stripe's own words here claim that nothing was charged, which nobody can know.
    const message =
      "We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.";
    return { error: { type: "api_connection_error", message } };
  }
}
