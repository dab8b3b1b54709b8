/**
 * Changes to the page's element that contains the card element.
 *
 * @import { StripeCardElementOptions } from "@stripe/stripe-js"
 */

/**
 * Sets the iframe's height before it loads, to avoid a layout shift (see card.css).
 *
 * @param {HTMLElement} container
 * @param {HTMLIFrameElement} frame
 * @param {StripeCardElementOptions} options
 */
export function reserveHeight(container, frame, { style }) {
  frame.style.fontSize = style?.base?.fontSize ?? "16px";
  const narrow = container.clientWidth < 20 * Number.parseFloat(getComputedStyle(frame).fontSize);
  frame.style.height = narrow ? "3em" : "1.2em";
}

/**
 * Focuses the fields when the container's label is clicked. Returns a function to stop that.
 *
 * @param {HTMLElement} container
 * @param {() => void} focus
 */
export function onLabelClick(container, focus) {
  const labels = document.querySelectorAll(`label[for="${CSS.escape(container.id)}"]`);
  for (const label of labels) label.addEventListener("click", focus);
  return () => {
    for (const label of labels) label.removeEventListener("click", focus);
  };
}

/** Submits the surrounding form on Enter in the fields. @param {HTMLElement} container */
export function submitForm(container) {
  const button = container.closest("form")?.querySelector('[type="submit"]');
  if (button instanceof HTMLElement) button.click();
}
