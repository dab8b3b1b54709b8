/**
 * What a page of the shop loads in the place of js.stripe.com: `window.Stripe`, as far as the card
 * element of @stripe/react-stripe-js and `confirmCardPayment` go.
 *
 * @import { ConfirmCardPaymentData, PaymentIntentResult, ReleaseTrain, StripeCardElementOptions } from "@stripe/stripe-js"
 */
import { CardElement } from "./card-element.js";
import { challenge } from "./challenge.js";

/** The release @stripe/stripe-js expects; it warns about any other. @type {ReleaseTrain} */
const version = "endive";

/** @param {string} key */
function elementsFor(key) {
  /** @type {CardElement | null} */
  let card = null;
  return {
    /** @param {string} type @param {StripeCardElementOptions} [options] */
    create(type, options = {}) {
      if (type !== "card") throw new Error(`The sandbox plays the card element only, not ${type}.`);
      if (card) throw new Error("Can only create one Element of type card.");
      card = new CardElement(key, options, () => {
        card = null;
      });
      return card;
    },
    /**
     * By its type, or by the React component that mounts it.
     *
     * @param {string | { __elementType: string }} type
     */
    getElement: (type) =>
      (typeof type === "string" ? type : type.__elementType) === "card" ? card : null,
    update() {},
  };
}

/** @param {string} key */
function confirmCardPayment(key) {
  /**
   * @param {string} clientSecret
   * @param {ConfirmCardPaymentData} [data]
   * @param {{ handleActions?: boolean }} [options]
   * @returns {Promise<PaymentIntentResult>}
   */
  return async (clientSecret, data, options) => {
    const method = data?.payment_method;
    const card = typeof method === "object" && "card" in method ? method.card : undefined;
    if (!(card instanceof CardElement))
      throw notPlayed("confirmCardPayment without a card element");
    const payer = (typeof method === "object" && method.billing_details) || {};
    const result = await card.confirm(clientSecret, payer);
    const waits = result.paymentIntent?.status === "requires_action";
    return waits && options?.handleActions !== false ? challenge(key, clientSecret) : result;
  };
}

/** @param {string} what */
function notPlayed(what) {
  return new Error(`The sandbox does not play ${what}.`);
}

/** @param {string} key */
function Stripe(key) {
  return {
    elements: () => elementsFor(key),
    confirmCardPayment: confirmCardPayment(key),
    // react-stripe-js takes no object without these two; the shop uses neither.
    createToken: () => Promise.reject(notPlayed("createToken")),
    createPaymentMethod: () => Promise.reject(notPlayed("createPaymentMethod")),
  };
}

Object.assign(window, { Stripe: Object.assign(Stripe, { version }) });
