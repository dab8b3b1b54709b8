/** Emulates the bank's 3-D Secure page. */
import { callApi, onConnect } from "./api-client.js";

const buttons = [...document.querySelectorAll("button")];
const status = /** @type {HTMLElement} */ (document.querySelector("#status"));

onConnect((/** @type {{ key: string, clientSecret: string }} */ payment, page) => {
  for (const button of buttons) {
    button.addEventListener("click", async () => {
      for (const other of buttons) other.disabled = true;
      status.textContent = "One moment…";
      const outcome = button.dataset.outcome ?? "fail";
      page.postMessage(await callApi(payment, "authenticate", { outcome }));
    });
    button.disabled = false;
  }
  buttons[0]?.focus();
});
