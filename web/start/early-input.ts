/** The data that `web/start/page-loader.ts` needs to start the app. */
export type AppStart = {
  /** Whether the page starts the app at once, without waiting for an interaction. */
  isEager: boolean;
  manifest: string;
  entry: string;
  /** The URLs of the modules of the page's routes, by route id. */
  routes: Record<string, string>;
  /** The manifest, the entry, the routes' modules, and everything they import. */
  preload: string[];
  /** `context`: React Router's context. `state`: the loader data in React Router's encoding. */
  context: object;
  state: string;
};

/** The visitor's input from before the page was hydrated. */
export type EarlyInput = {
  clicks: Set<HTMLElement>;
  typed: Map<HTMLInputElement, string>;
  /** The focused element, or the element that had focus when React replaced it. */
  focused?: HTMLElement;
  form?: HTMLFormElement;
  by?: HTMLElement | null;
  isHydrated: boolean;
  stop: () => void;
  /** Identifies a button or link, even after it was rendered again. */
  nameOf: (element: Element) => string;
};

declare global {
  var early: EarlyInput | undefined;
}

/** Repeats early input in hydrated parts. Called again whenever another part hydrates. */
export function replayEarlyInput(): void {
  const { early } = globalThis;
  if (!early) return;
  early.isHydrated = true;
  if (early.focused) restoreFocus(early.focused);
  for (const [field, text] of early.typed) {
    if (isHydrating(field)) continue;
    early.typed.delete(field);
    retype(sameField(field), { text, selectedIn: field });
  }
  // Waits until React has rendered the typed text, because a clicked link may carry the text.
  setTimeout(() => replayClicks(early));
}

function replayClicks(early: EarlyInput): void {
  for (const button of early.clicks) {
    if (isHydrating(button)) continue;
    early.clicks.delete(button);
    sameButton(button, early)?.click();
  }
  early.form?.requestSubmit(early.by);
  delete early.form;
  if (document.querySelector("[data-hydrating]")) return;
  early.stop();
  globalThis.early = undefined;
}

/** Whether the element awaits hydration. False if React replaced it, even in a marked parent. */
function isHydrating(element: HTMLElement): boolean {
  return element.isConnected && element.closest("[data-hydrating]") !== null;
}

/** The field, or its replacement if the field was rendered again. */
function sameField(field: HTMLInputElement): HTMLInputElement | undefined {
  if (field.isConnected) return field;
  const label = field.getAttribute("aria-label");
  const fields = document.querySelectorAll<HTMLInputElement>(`[name="${CSS.escape(field.name)}"]`);
  return [...fields].find((one) => label !== null && one.getAttribute("aria-label") === label);
}

/** Focuses the replacement of the focused field, so that the visitor can keep typing. */
function restoreFocus(field: HTMLElement): void {
  if (document.activeElement !== document.body) return;
  const same = sameField(field as HTMLInputElement);
  same?.focus({ preventScroll: true });
  copySelection(same, field as HTMLInputElement);
}

/** Selects the same characters as in the other field. */
function copySelection(
  field: HTMLInputElement | undefined,
  { selectionStart, selectionEnd }: HTMLInputElement,
): void {
  if (selectionStart != null) field?.setSelectionRange(selectionStart, selectionEnd);
}

type Typed = { text: string; selectedIn: HTMLInputElement };

/** Types the text again, because hydration silently resets a field to its default. */
function retype(field: HTMLInputElement | undefined, { text, selectedIn }: Typed): void {
  if (!field || field.type === "file" || field.type === "checkbox") return;
  // React ignores an event if the value equals the last value that was set.
  field.value = "";
  const native = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
  native?.set?.call(field, text);
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  if (field === document.activeElement && field.value === text) copySelection(field, selectedIn);
}

/** The button, or its replacement if it was rendered again. */
function sameButton(button: HTMLElement, { nameOf }: EarlyInput): HTMLElement | undefined {
  if (button.isConnected) return button;
  const buttons = document.querySelectorAll<HTMLElement>("button, a[data-needs-app]");
  return [...buttons].find((one) => nameOf(one) === nameOf(button));
}
