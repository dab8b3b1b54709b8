/**
 * The iframe's connection to the embedding page and to the API.
 *
 * @typedef {import("@stripe/stripe-js").PaymentIntentResult} Result
 */

const TIMEOUT_MS = 10_000;

/**
 * Asks the embedding page for a MessagePort and waits for the port. Accepts messages only from the
 * parent window and only from a loopback origin.
 *
 * @template T
 * @param {(message: T, port: MessagePort) => void} onConnected
 */
export function onConnect(onConnected) {
  window.addEventListener("message", (event) => {
    const port = event.ports[0];
    const hostname = URL.parse(event.origin)?.hostname;
    const isLoopback = hostname === "localhost" || hostname === "127.0.0.1";
    if (event.source === window.parent && isLoopback && port) onConnected(event.data, port);
  });
  // The message carries nothing secret, and the page's origin is not known yet.
  window.parent.postMessage("the frame waits for its port", "*");
}

/**
 * Calls the API with the publishable key and the intent's client secret.
 *
 * @param {{ key: string, clientSecret: string }} payment
 * @param {"confirm" | "authenticate"} verb
 * @param {Record<string, string>} params
 * @returns {Promise<Result>}
 */
export async function callApi({ key, clientSecret }, verb, params) {
  const [id = ""] = clientSecret.split("_secret_");
  try {
    const response = await fetch(`/v1/payment_intents/${encodeURIComponent(id)}/${verb}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: new URLSearchParams({ ...params, client_secret: clientSecret }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = await response.json();
    return response.ok ? { paymentIntent: answer } : { error: answer.error };
  } catch {
    // Stripe's own message claims that nothing was charged, but the outcome is unknown here.
    const message =
      "We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.";
    return { error: { type: "api_connection_error", message } };
  }
}
