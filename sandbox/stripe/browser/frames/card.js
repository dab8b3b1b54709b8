/**
 * The card fields. Card data stays in this iframe and goes only to the API.
 *
 * @typedef {import("@stripe/stripe-js").StripeCardElementOptions} Options
 * @typedef {{ name?: string | null, email?: string | null }} Payer
 * @typedef {{ key: string, options: Options }} ConnectMessage
 * @typedef {{ type: "update", options: Options } | { type: "focus" }
 *   | { type: "confirm", call: number, clientSecret: string, payer: Payer }} Command
 */

import { callApi, onConnect } from "./api-client.js";
import {
  brandOf,
  formatExpiry,
  formatNumber,
  validateCvc,
  validateExpiry,
  validateNumber,
} from "./card-validation.js";

const fieldset = /** @type {HTMLFieldSetElement} */ (document.querySelector("#fields"));
const icon = /** @type {SVGElement} */ (document.querySelector("#brand"));
const number = field("cardnumber");
const expiry = field("exp-date");
const cvc = field("cvc");
const fields = [number, expiry, cvc];

/**
 * Only these fields show "incomplete" errors.
 *
 * @type {Set<HTMLInputElement>}
 */
const touched = new Set();

/** @type {Options["style"]} */
let style;
let key = "";
let lastChange = "";
/** @type {MessagePort | undefined} */
let page;

/** @param {string} name */
function field(name) {
  return /** @type {HTMLInputElement} */ (document.querySelector(`[name="${name}"]`));
}

/** @param {HTMLInputElement} input */
const digitsOf = (input) => input.value.replace(/\D/g, "");
const brand = () => brandOf(digitsOf(number));

/** @param {HTMLInputElement} input */
function validationError(input) {
  if (input === number) return validateNumber(digitsOf(number));
  if (input === expiry) return validateExpiry(expiry.value);
  return validateCvc(digitsOf(cvc), brand());
}

/**
 * Hides "incomplete" errors while the user is still typing.
 *
 * @param {HTMLInputElement} input
 */
function visibleError(input) {
  const problem = validationError(input);
  return problem?.code.startsWith("incomplete") && !touched.has(input) ? undefined : problem;
}

function refresh() {
  for (const input of fields) {
    const invalid = visibleError(input) !== undefined;
    input.setAttribute("aria-invalid", String(invalid));
    input.style.color = (invalid ? style?.invalid : style?.base)?.color ?? "";
  }
  const { label, cvcLength } = brand();
  cvc.maxLength = cvcLength;
  icon.toggleAttribute("data-brand", label !== "");
  /** @type {SVGTextElement} */ (icon.querySelector("text")).textContent = label;

  const change = {
    complete: fields.every((input) => !validationError(input)),
    empty: fields.every((input) => input.value === ""),
    error: fields.map(visibleError).find((problem) => problem),
  };
  if (!page) return;
  const text = JSON.stringify(change);
  const changed = lastChange === "" ? !change.empty : lastChange !== text;
  lastChange = text;
  if (changed) page.postMessage({ type: "change", change });
}

/** Supports only the style options that the shop sets. @param {Options} options */
function update(options) {
  style = options.style ?? style;
  const { fontFamily, fontSize, ...base } = style?.base ?? {};
  const root = document.documentElement.style;
  root.fontFamily = fontFamily ?? "";
  root.fontSize = fontSize ?? "";
  root.setProperty("--placeholder", base["::placeholder"]?.color ?? null);
  refresh();
}

/**
 * Keeps the caret after the same digit.
 *
 * @param {HTMLInputElement} input
 * @param {string} text
 */
function setFormattedValue(input, text) {
  const behind = input.value.slice(0, input.selectionStart ?? 0).replace(/\D/g, "").length;
  const atEnd = input.selectionStart === input.value.length;
  input.value = text;
  const spot = /** @type {RegExpExecArray} */ (new RegExp(`^(\\D*\\d){0,${behind}}`).exec(text));
  const caret = atEnd ? text.length : spot[0].length;
  if (document.activeElement === input) input.setSelectionRange(caret, caret);
}

/** @param {Extract<Command, { type: "confirm" }>} command */
async function confirm({ call, clientSecret, payer }) {
  for (const input of fields) touched.add(input);
  refresh();
  const error = fields.map(validationError).find((problem) => problem);
  const result = error ? { error } : await callApi({ key, clientSecret }, "confirm", card(payer));
  page?.postMessage({ type: "confirmed", call, result });
}

/** @param {Payer} payer @returns {Record<string, string>} */
function card({ name, email }) {
  const [month = "", year = ""] = expiry.value.split(" / ");
  return {
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": digitsOf(number),
    "payment_method_data[card][exp_month]": month,
    "payment_method_data[card][exp_year]": `20${year}`,
    "payment_method_data[card][cvc]": digitsOf(cvc),
    ...(name && { "payment_method_data[billing_details][name]": name }),
    ...(email && { "payment_method_data[billing_details][email]": email }),
  };
}

/** @param {Command} command */
function handleCommand(command) {
  if (command.type === "update") update(command.options);
  if (command.type === "confirm") confirm(command);
  if (command.type === "focus") (fields.find(validationError) ?? number).focus();
}

fieldset.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const deleting = event instanceof InputEvent && event.inputType.startsWith("delete");
  touched.delete(input);
  if (input === number) setFormattedValue(number, formatNumber(digitsOf(number)));
  if (input === expiry) setFormattedValue(expiry, formatExpiry(expiry.value, deleting));
  if (input === cvc) setFormattedValue(cvc, digitsOf(cvc).slice(0, brand().cvcLength));
  refresh();
  if (input !== cvc && !deleting && !validationError(input))
    fields[fields.indexOf(input) + 1]?.focus();
});

fieldset.addEventListener("keydown", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (event.key === "Enter") page?.postMessage({ type: "submit" });
  if (event.key !== "Backspace" || input.value !== "") return;
  fields[fields.indexOf(input) - 1]?.focus();
  event.preventDefault();
});

fieldset.addEventListener("focusin", (event) => {
  if (event.relatedTarget === null) page?.postMessage({ type: "focus" });
});

fieldset.addEventListener("focusout", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.value !== "") touched.add(input);
  refresh();
});

// Formats digits that were typed before this script loaded.
if (number.value !== "") setFormattedValue(number, formatNumber(digitsOf(number)));

onConnect((/** @type {ConnectMessage} */ message, port) => {
  key = message.key;
  page = port;
  port.onmessage = ({ data }) => handleCommand(data);
  update(message.options);
  const reportHeight = () => port.postMessage({ type: "resize", height: fieldset.offsetHeight });
  new ResizeObserver(reportHeight).observe(fieldset);
  reportHeight();
  port.postMessage({ type: "ready" });
});
