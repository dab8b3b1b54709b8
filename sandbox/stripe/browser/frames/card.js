/**
 * The card fields: what is typed here stays in this frame and goes to the provider alone.
 *
 * @typedef {import("@stripe/stripe-js").StripeCardElementOptions} Options
 * @typedef {{ name?: string | null, email?: string | null }} Payer
 * @typedef {{ key: string, options: Options }} Greeting
 * @typedef {{ type: "update", options: Options } | { type: "focus" | "blur" | "clear" }
 *   | { type: "confirm", call: number, clientSecret: string, payer: Payer }} Order
 */
import {
  brandOf,
  formatExpiry,
  formatNumber,
  problemOfCvc,
  problemOfExpiry,
  problemOfNumber,
} from "./card-rules.js";
import { awaitGreeting, callProvider } from "./provider.js";

const fieldset = /** @type {HTMLFieldSetElement} */ (document.querySelector("#fields"));
const icon = /** @type {SVGElement} */ (document.querySelector("#brand"));
const number = field("cardnumber");
const expiry = field("exp-date");
const cvc = field("cvc");
const fields = [number, expiry, cvc];

/**
 * Fields left with something in them: only of these is it said that they are incomplete.
 *
 * @type {Set<HTMLInputElement>}
 */
const left = new Set();

/** @type {Options} */
let options = {};
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
function problemOf(input) {
  if (input === number) return problemOfNumber(digitsOf(number));
  if (input === expiry) return problemOfExpiry(expiry.value);
  return problemOfCvc(digitsOf(cvc), brand());
}

/**
 * The problem to tell of now; while somebody types, being incomplete is none.
 *
 * @param {HTMLInputElement} input
 */
function shownProblem(input) {
  const problem = problemOf(input);
  return problem?.code.startsWith("incomplete") && !left.has(input) ? undefined : problem;
}

/** Shows the state of the fields, and tells the page when it is another than before. */
function refresh() {
  for (const input of fields) {
    const invalid = shownProblem(input) !== undefined;
    input.setAttribute("aria-invalid", String(invalid));
    paint(input, invalid);
  }
  const { name, label, cvcLength } = brand();
  cvc.maxLength = cvcLength;
  icon.toggleAttribute("data-brand", label !== "");
  /** @type {SVGTextElement} */ (icon.querySelector("text")).textContent = label;

  const change = {
    elementType: "card",
    brand: name,
    complete: fields.every((input) => !problemOf(input)),
    empty: fields.every((input) => input.value === ""),
    error: fields.map(shownProblem).find((problem) => problem),
    value: { postalCode: "" },
  };
  if (!page) return;
  const text = JSON.stringify(change);
  const news = lastChange === "" ? !change.empty : lastChange !== text;
  lastChange = text;
  if (news) page.postMessage({ type: "change", change });
}

/**
 * Gives a field the page's style for the state it is in.
 *
 * @param {HTMLInputElement} input
 * @param {boolean} invalid
 */
function paint(input, invalid) {
  const style = options.style ?? {};
  const good = problemOf(input) ? undefined : style.complete;
  const state = invalid ? style.invalid : input.value === "" ? style.empty : good;
  const focused = document.activeElement === input ? style.base?.[":focus"] : undefined;
  const look = { ...style.base, ...state, ...focused };
  for (const property of paintable) input.style[property] = String(look[property] ?? "");
}

const paintable = /** @type {const} */ ([
  "color",
  "fontStyle",
  "fontVariant",
  "fontWeight",
  "letterSpacing",
  "textDecoration",
  "textShadow",
  "textTransform",
]);

/**
 * Takes over the page's options: what holds for all fields here, on their state in `paint`.
 *
 * @param {Options} changed
 */
function update(changed) {
  options = { ...options, ...changed };
  const { fontFamily, fontSize, lineHeight, iconColor, ...base } = options.style?.base ?? {};
  const root = document.documentElement.style;
  root.fontFamily = fontFamily ?? "";
  root.fontSize = fontSize ?? "";
  root.setProperty("--line", lineHeight ? inEm(lineHeight) : null);
  root.setProperty("--icon", iconColor ?? null);
  root.setProperty("--placeholder", base["::placeholder"]?.color ?? null);
  fieldset.disabled = options.disabled ?? false;
  icon.toggleAttribute("hidden", options.hideIcon ?? false);
  refresh();
}

/** A line height without a unit is a multiple of the letters' own. @param {string} lineHeight */
function inEm(lineHeight) {
  return /^[\d.]+$/.test(lineHeight) ? `${lineHeight}em` : lineHeight;
}

/**
 * Rewrites a field in its format, with the caret behind the digit it was behind.
 *
 * @param {HTMLInputElement} input
 * @param {string} text
 */
function rewrite(input, text) {
  const behind = input.value.slice(0, input.selectionStart ?? 0).replace(/\D/g, "").length;
  const atEnd = input.selectionStart === input.value.length;
  input.value = text;
  const spot = /** @type {RegExpExecArray} */ (new RegExp(`^(\\D*\\d){0,${behind}}`).exec(text));
  const caret = atEnd ? text.length : spot[0].length;
  if (document.activeElement === input) input.setSelectionRange(caret, caret);
}

/** @param {Extract<Order, { type: "confirm" }>} order */
async function confirm({ call, clientSecret, payer }) {
  for (const input of fields) left.add(input);
  refresh();
  const error = fields.map(problemOf).find((problem) => problem);
  const result = error
    ? { error }
    : await callProvider({ key, clientSecret }, "confirm", card(payer));
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

/** @param {Order} order */
function obey(order) {
  if (order.type === "update") update(order.options);
  if (order.type === "confirm") confirm(order);
  if (order.type === "focus") (fields.find(problemOf) ?? number).focus();
  if (order.type === "blur") for (const input of fields) input.blur();
  if (order.type === "clear") {
    for (const input of fields) input.value = "";
    left.clear();
    refresh();
  }
}

fieldset.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const deleting = event instanceof InputEvent && event.inputType.startsWith("delete");
  left.delete(input);
  if (input === number) rewrite(number, formatNumber(digitsOf(number)));
  if (input === expiry) rewrite(expiry, formatExpiry(expiry.value, deleting));
  if (input === cvc) rewrite(cvc, digitsOf(cvc).slice(0, brand().cvcLength));
  refresh();
  if (input !== cvc && !deleting && !problemOf(input)) fields[fields.indexOf(input) + 1]?.focus();
});

fieldset.addEventListener("keydown", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (event.key === "Enter") page?.postMessage({ type: "submit" });
  if (event.key === "Escape") page?.postMessage({ type: "escape" });
  if (event.key !== "Backspace" || input.value !== "") return;
  fields[fields.indexOf(input) - 1]?.focus();
  event.preventDefault();
});

fieldset.addEventListener("focusin", (event) => {
  if (event.relatedTarget === null) page?.postMessage({ type: "focus" });
  refresh();
});

fieldset.addEventListener("focusout", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.value !== "") left.add(input);
  if (event.relatedTarget === null) page?.postMessage({ type: "blur" });
  refresh();
});

// What was typed before this script was there is brought into form too.
if (number.value !== "") rewrite(number, formatNumber(digitsOf(number)));

awaitGreeting((/** @type {Greeting} */ greeting, port) => {
  key = greeting.key;
  page = port;
  port.onmessage = ({ data }) => obey(data);
  update(greeting.options);
  const tellHeight = () => port.postMessage({ type: "resize", height: fieldset.offsetHeight });
  new ResizeObserver(tellHeight).observe(fieldset);
  tellHeight();
  port.postMessage({ type: "ready" });
});
