/**
 * @import { PaymentIntentResult } from "@stripe/stripe-js"
 */
import { openFrame } from "./open-frame.js";

/**
 * Has the payer take the step their card asks for, in a frame of the provider's over the page.
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
    // The bank's question is answered by one of its buttons only.
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.append(frame);
    document.body.append(dialog);
    dialog.showModal();
    frame.addEventListener("load", () => frame.focus(), { once: true });
  });
}
