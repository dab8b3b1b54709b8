/**
 * @import { PaymentIntentResult } from "@stripe/stripe-js"
 */
import { openFrame } from "./open-frame.js";

/**
 * Shows the 3-D Secure challenge in a modal iframe.
 *
 * @param {string} key
 * @param {string} clientSecret
 * @returns {Promise<PaymentIntentResult>}
 */
export function challenge(key, clientSecret) {
  return new Promise((resolve) => {
    const dialog = document.createElement("dialog");
    const { frame } = openFrame("challenge.html", { key, clientSecret }, (result) => {
      dialog.close();
      dialog.remove();
      resolve(result);
    });
    frame.title = "Card authentication";
    frame.style.height = "100%";
    Object.assign(dialog.style, {
      position: "fixed",
      inset: "0",
      width: "100%",
      height: "100%",
      maxWidth: "none",
      maxHeight: "none",
      margin: "0",
      padding: "0",
      border: "0",
      background: "transparent",
    });
    // Escape must not close the challenge without a result.
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.append(frame);
    document.body.append(dialog);
    dialog.showModal();
    frame.addEventListener("load", () => frame.focus(), { once: true });
  });
}
