/** Set by the inline script in the page's head. */
declare global {
  var early:
    | { form?: HTMLFormElement; by?: HTMLElement | null; hold: (event: SubmitEvent) => void }
    | undefined;
}

/**
 * Runs before first paint: holds a form submitted before hydration, which the browser would otherwise submit
 * natively.
 */
export const earlySubmitScript = `self.early={hold(e){e.preventDefault();e.stopImmediatePropagation();early.form=e.target;early.by=e.submitter}};addEventListener("submit",early.hold,true)`;

/** Submits the held form after hydration. */
export function replayEarlySubmit(): void {
  if (!globalThis.early) return;
  const { form, by, hold } = globalThis.early;
  globalThis.early = undefined;
  removeEventListener("submit", hold, true);
  form?.requestSubmit(by);
}
