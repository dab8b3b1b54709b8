/**
 * @import { PaymentIntentResult, StripeCardElementOptions } from "@stripe/stripe-js"
 * @import { State } from "./container.js"
 *
 * @typedef {(event: object) => void} Listener
 * @typedef {{ name?: string | null, email?: string | null }} Payer
 * @typedef {{ type: "ready" | "focus" | "blur" | "escape" | "submit" }
 *   | { type: "resize", height: number }
 *   | { type: "change", change: State }
 *   | { type: "confirmed", call: number, result: PaymentIntentResult }} News
 */
import { onLabelClick, reserveRoom, showState, submitForm } from "./container.js";
import { openFrame } from "./open-frame.js";

/** The card element of Stripe.js: what the page may know of the fields in the provider's frame. */
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
  /** @type {State} */
  #state = { empty: true, complete: false };
  /** @type {ReturnType<typeof openFrame> | undefined} */
  #fields;
  #forgetLabels = () => {};

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
  once(type, listener) {
    const once = (/** @type {object} */ event) => {
      this.off(type, once);
      listener(event);
    };
    return this.on(type, once);
  }

  /** @param {string} type @param {Listener} [listener] */
  off(type, listener) {
    if (listener) this.#listeners.get(type)?.delete(listener);
    else this.#listeners.delete(type);
    return this;
  }

  /** @param {string | HTMLElement} target */
  mount(target) {
    const container = typeof target === "string" ? document.querySelector(target) : target;
    if (!(container instanceof HTMLElement)) throw new Error(`There is no element ${target}.`);
    this.unmount();
    const greeting = { key: this.#key, options: this.#options };
    this.#container = container;
    this.#fields = openFrame("card.html", greeting, (news) => this.#hear(news));
    this.#forgetLabels = onLabelClick(container, () => this.focus());
    container.replaceChildren(this.#fields.frame);
    reserveRoom(container, this.#fields.frame, this.#options);
    this.#show({ empty: true, complete: false, focused: false });
  }

  unmount() {
    this.#forgetLabels();
    this.#fields?.frame.remove();
    this.#fields = undefined;
  }

  destroy() {
    this.unmount();
    this.#onDestroy();
  }

  /** @param {StripeCardElementOptions} options */
  update(options) {
    this.#options = { ...this.#options, ...options };
    this.#fields?.tell({ type: "update", options });
  }

  focus() {
    this.#fields?.tell({ type: "focus" });
  }

  blur() {
    this.#fields?.tell({ type: "blur" });
  }

  clear() {
    this.#fields?.tell({ type: "clear" });
  }

  /**
   * Not Stripe's: has the fields pay with what is typed in them.
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
      fields.tell({ type: "confirm", call, clientSecret, payer: { name, email } });
    });
  }

  /** @param {News} news */
  #hear(news) {
    if (!this.#fields || !this.#container) return;
    switch (news.type) {
      case "resize":
        this.#fields.frame.style.height = `${news.height}px`;
        return;
      case "confirmed":
        this.#calls[news.call]?.(news.result);
        return;
      case "submit":
        submitForm(this.#container);
        return;
      case "change":
        this.#show(news.change);
        this.#emit("change", news.change);
        return;
      default:
        if (news.type === "focus") this.#show({ focused: true });
        if (news.type === "blur") this.#show({ focused: false });
        this.#emit(news.type);
    }
  }

  /** @param {Partial<State>} changed */
  #show(changed) {
    this.#state = { ...this.#state, ...changed };
    if (this.#container) showState(this.#container, this.#state, this.#options.classes);
  }

  /** @param {string} type @param {object} [event] */
  #emit(type, event) {
    const listeners = [...(this.#listeners.get(type) ?? [])];
    for (const listener of listeners) listener({ elementType: "card", ...event });
  }
}
