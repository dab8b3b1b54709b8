/** What the script in the page's head leaves behind. */
declare global {
  var early:
    | { form?: HTMLFormElement; by?: HTMLElement | null; hold: (event: SubmitEvent) => void }
    | undefined;
}

/**
 * Runs before the first paint: a form that is sent while its script is on its way waits for it. The browser
 * itself would send it, and leave the page.
 */
export const earlySubmitScript = `self.early={hold(e){e.preventDefault();e.stopImmediatePropagation();early.form=e.target;early.by=e.submitter}};addEventListener("submit",early.hold,true)`;

/** Sends the form that waited, now that its script is there; from then on each is sent at once. */
export function replayEarlySubmit(): void {
  if (!globalThis.early) return;
  const { form, by, hold } = globalThis.early;
  globalThis.early = undefined;
  removeEventListener("submit", hold, true);
  form?.requestSubmit(by);
}
