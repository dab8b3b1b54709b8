/**
 * Replaces js.stripe.com: the part of `window.Stripe` that @stripe/react-stripe-js needs for
 * `confirmCardPayment` and the card element.
 *
 * @import { ConfirmCardPaymentData, PaymentIntentResult, ReleaseTrain, StripeCardElementOptions } from "@stripe/stripe-js"
 */
import { CardElement } from "./card-element.js";
import { challenge } from "./challenge.js";

/** @stripe/stripe-js warns about any other release. @type {ReleaseTrain} */
const version = "endive";

/** @param {string} key */
function elementsFor(key) {
  /** @type {CardElement | null} */
  let card = null;
  return {
    /** @param {string} type @param {StripeCardElementOptions} [options] */
    create(type, options = {}) {
      if (type !== "card")
        throw new Error(`The sandbox supports only the card element, not ${type}.`);
      if (card) throw new Error("Can only create one Element of type card.");
      card = new CardElement(key, options, () => {
        card = null;
      });
      return card;
    },
    /** Finds the element by its React component. @param {{ __elementType: string }} component */
    getElement: ({ __elementType: type }) => (type === "card" ? card : null),
    update() {},
  };
}

/** @param {string} key */
function confirmCardPayment(key) {
  /**
   * @param {string} clientSecret
   * @param {ConfirmCardPaymentData} [data]
   * @returns {Promise<PaymentIntentResult>}
   */
  return async (clientSecret, data) => {
    const method = data?.payment_method;
    const card = typeof method === "object" && "card" in method ? method.card : undefined;
    if (!(card instanceof CardElement))
      throw notImplemented("confirmCardPayment without a card element");
    const payer = (typeof method === "object" && method.billing_details) || {};
    const result = await card.confirm(clientSecret, payer);
    const needsChallenge = result.paymentIntent?.status === "requires_action";
    return needsChallenge ? challenge(key, clientSecret) : result;
  };
}

/** @param {string} what */
function notImplemented(what) {
  return new Error(`The sandbox does not support ${what}.`);
}

/** @param {string} key */
function Stripe(key) {
  return {
    elements: () => elementsFor(key),
    confirmCardPayment: confirmCardPayment(key),
    // react-stripe-js requires these two methods, but the shop does not call them.
    createToken: () => Promise.reject(notImplemented("createToken")),
    createPaymentMethod: () => Promise.reject(notImplemented("createPaymentMethod")),
  };
}

Object.assign(window, { Stripe: Object.assign(Stripe, { version }) });
