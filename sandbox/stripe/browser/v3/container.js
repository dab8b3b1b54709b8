/**
 * Changes to the page's element that contains the card element.
 *
 * @import { StripeCardElementOptions, StripeElementClasses } from "@stripe/stripe-js"
 * @typedef {{ empty: boolean, complete: boolean, focused?: boolean, error?: object }} State
 */

/**
 * Sets the state classes from the page's options. The default classes are `StripeElement--…`.
 *
 * @param {HTMLElement} container
 * @param {State} state
 * @param {StripeElementClasses} [classes]
 */
export function setStateClasses(container, state, classes = {}) {
  const { base = "StripeElement" } = classes;
  const shown = {
    [base]: true,
    [classes.focus ?? `${base}--focus`]: state.focused,
    [classes.empty ?? `${base}--empty`]: state.empty,
    [classes.complete ?? `${base}--complete`]: state.complete,
    [classes.invalid ?? `${base}--invalid`]: state.error,
  };
  for (const [names, active] of Object.entries(shown)) {
    for (const name of names.split(" ")) container.classList.toggle(name, Boolean(active));
  }
}

/**
 * Sets the iframe's height before it loads, to avoid a layout shift (see card.css).
 *
 * @param {HTMLElement} container
 * @param {HTMLIFrameElement} frame
 * @param {StripeCardElementOptions} options
 */
export function reserveHeight(container, frame, { style }) {
  const { fontSize = "16px", lineHeight = "1.2" } = style?.base ?? {};
  const line = /^[\d.]+$/.test(lineHeight) ? `${lineHeight}em` : lineHeight;
  frame.style.fontSize = fontSize;
  const narrow = container.clientWidth < 20 * Number.parseFloat(getComputedStyle(frame).fontSize);
  frame.style.height = narrow ? `calc(2 * ${line} + 0.6em)` : line;
}

/**
 * Focuses the fields when the container's label is clicked. Returns a function to stop that.
 *
 * @param {HTMLElement} container
 * @param {() => void} focus
 */
export function onLabelClick(container, focus) {
  const own = container.id
    ? document.querySelectorAll(`label[for="${CSS.escape(container.id)}"]`)
    : [];
  const around = container.closest("label");
  const labels = around ? [around, ...own] : [...own];
  for (const label of labels) label.addEventListener("click", focus);
  return () => {
    for (const label of labels) label.removeEventListener("click", focus);
  };
}

/** Submits the surrounding form on Enter in the fields. @param {HTMLElement} container */
export function submitForm(container) {
  const form = container.closest("form");
  /** @type {HTMLElement | null | undefined} */ (
    form?.querySelector('button:not([type]), [type="submit"]')
  )?.click();
}
