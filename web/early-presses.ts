/** What the script in the page's head leaves behind. */
declare global {
  var held: { button?: HTMLButtonElement; hold: (event: Event) => void } | undefined;
}

/**
 * Runs before the first paint: a button that is pressed while its script is on its way is held, the last one.
 * A form would be sent by the browser itself, with the password in the address.
 */
export const holdPresses = `self.held={hold(e){const b=e.target.closest("button");if(b){e.preventDefault();e.stopImmediatePropagation();held.button=b}}};addEventListener("click",held.hold,true)`;

/** Presses the button that was held, now that it does what it says; from then on each does so at once. */
export function pressHeld(): void {
  if (!globalThis.held) return;
  const { button, hold } = globalThis.held;
  globalThis.held = undefined;
  removeEventListener("click", hold, true);
  button?.click();
}
