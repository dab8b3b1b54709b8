/** The step a card asks for: a stand-in for the page of the bank that issued it. */
import { awaitGreeting, callProvider } from "./provider.js";

const buttons = [...document.querySelectorAll("button")];
const status = /** @type {HTMLElement} */ (document.querySelector("#status"));

awaitGreeting((/** @type {{ key: string, clientSecret: string }} */ payment, page) => {
  for (const button of buttons) {
    button.addEventListener("click", async () => {
      for (const other of buttons) other.disabled = true;
      status.textContent = "One moment…";
      const outcome = button.dataset.outcome ?? "fail";
      page.postMessage(await callProvider(payment, "authenticate", { outcome }));
    });
  }
  buttons[0]?.focus();
});
