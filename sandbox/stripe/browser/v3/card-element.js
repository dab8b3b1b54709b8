/**
 * @import { PaymentIntentResult, StripeCardElementOptions } from "@stripe/stripe-js"
 *
 * @typedef {(event: object) => void} Listener
 * @typedef {{ name?: string | null, email?: string | null }} Payer
 * @typedef {{ type: "ready" | "focus" | "submit" }
 *   | { type: "resize", height: number }
 *   | { type: "change", change: object }
 *   | { type: "confirmed", call: number, result: PaymentIntentResult }} FrameMessage
 */
import { openFrame } from "./open-frame.js";

/** Stripe.js's card element. Card data stays in the iframe. The page gets events and results. */
export class CardElement {
  #key;
  #options;
  #onDestroy;
  /** @type {Map<string, Set<Listener>>} */
  #listeners = new Map();
  /** @type {Array<(result: PaymentIntentResult) => void>} */
  #calls = [];
  /** @type {HTMLElement | undefined} */
  #container;
  /** @type {ReturnType<typeof openFrame> | undefined} */
  #fields;
  #removeLabelListeners = () => {};

  /** @param {string} key @param {StripeCardElementOptions} options @param {() => void} onDestroy */
  constructor(key, options, onDestroy) {
    this.#key = key;
    this.#options = options;
    this.#onDestroy = onDestroy;
  }

  /** @param {string} type @param {Listener} listener */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return this;
  }

  /** @param {string} type @param {Listener} listener */
  off(type, listener) {
    this.#listeners.get(type)?.delete(listener);
    return this;
  }

  /** @param {HTMLElement} container */
  mount(container) {
    const connectMessage = { key: this.#key, options: this.#options };
    this.#container = container;
    this.#fields = openFrame("card.html", connectMessage, (message) => this.#onMessage(message));
    const { frame, send } = this.#fields;
    this.#removeLabelListeners = onLabelClick(container, () => send({ type: "focus" }));
    container.replaceChildren(frame);
    reserveHeight(container, frame, this.#options);
  }

  destroy() {
    this.#removeLabelListeners();
    this.#fields?.frame.remove();
    this.#fields = undefined;
    this.#onDestroy();
  }

  /** @param {StripeCardElementOptions} options */
  update(options) {
    this.#options = { ...this.#options, ...options };
    this.#fields?.send({ type: "update", options });
  }

  /**
   * Not in Stripe.js: confirms the payment with the card data in the iframe.
   *
   * @param {string} clientSecret
   * @param {Payer} payer
   * @returns {Promise<PaymentIntentResult>}
   */
  confirm(clientSecret, { name, email }) {
    const fields = this.#fields;
    if (!fields) {
      throw new Error(
        "We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.",
      );
    }
    return new Promise((resolve) => {
      const call = this.#calls.push(resolve) - 1;
      fields.send({ type: "confirm", call, clientSecret, payer: { name, email } });
    });
  }

  /** @param {FrameMessage} message */
  #onMessage(message) {
    if (!this.#fields || !this.#container) return;
    switch (message.type) {
      case "resize":
        this.#fields.frame.style.height = `${message.height}px`;
        return;
      case "confirmed":
        this.#calls[message.call]?.(message.result);
        return;
      case "submit":
        submitForm(this.#container);
        return;
      case "change":
        this.#emit("change", message.change);
        return;
      default:
        this.#emit(message.type);
    }
  }

  /** @param {string} type @param {object} [event] */
  #emit(type, event) {
    const listeners = [...(this.#listeners.get(type) ?? [])];
    for (const listener of listeners) listener({ elementType: "card", ...event });
  }
}

/**
 * Sets the iframe's height before it loads, to avoid a layout shift (see card.css).
 *
 * @param {HTMLElement} container
 * @param {HTMLIFrameElement} frame
 * @param {StripeCardElementOptions} options
 */
function reserveHeight(container, frame, { style }) {
  frame.style.fontSize = style?.base?.fontSize ?? "16px";
  const narrow = container.clientWidth < 20 * Number.parseFloat(getComputedStyle(frame).fontSize);
  frame.style.height = narrow ? "3em" : "1.2em";
}

/**
 * Focuses the fields when the container's label is clicked. Returns a function to stop listening.
 *
 * @param {HTMLElement} container
 * @param {() => void} focus
 */
function onLabelClick(container, focus) {
  const labels = document.querySelectorAll(`label[for="${CSS.escape(container.id)}"]`);
  for (const label of labels) label.addEventListener("click", focus);
  return () => {
    for (const label of labels) label.removeEventListener("click", focus);
  };
}

/** Submits the surrounding form on Enter in the fields. @param {HTMLElement} container */
function submitForm(container) {
  const button = container.closest("form")?.querySelector('[type="submit"]');
  if (button instanceof HTMLElement) button.click();
}
