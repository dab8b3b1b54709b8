/** What `web/start/page-loader.ts` needs to start the app. */
export type AppStart = {
  /** Whether the page is of no use without scripts. */
  isEager: boolean;
  manifest: string;
  entry: string;
  /** The modules of the page's routes, by route. */
  routes: Record<string, string>;
  /** All modules these import. */
  preload: string[];
  /** For React Router: its context, and the loaders' answers as it encodes them. */
  context: object;
  state: string;
};

/** What the visitor did before the app was there. */
export type EarlyInput = {
  clicks: Set<HTMLElement>;
  typed: Map<HTMLInputElement, string>;
  /** The element that has the focus, or had it when it was rendered anew. */
  focused?: HTMLElement;
  form?: HTMLFormElement;
  by?: HTMLElement | null;
  isHydrated: boolean;
  /** Removes the loader's listeners. */
  stop: () => void;
};

declare global {
  var early: EarlyInput | undefined;
}

/**
 * Repeats what the visitor did before hydration, as far as the elements work by now. Called after hydration,
 * and after each part that is hydrated later.
 */
export function replayEarlyInput(): void {
  const { early } = globalThis;
  if (!early) return;
  early.isHydrated = true;
  for (const [field, text] of early.typed) {
    if (isHydrating(field)) continue;
    early.typed.delete(field);
    const same = sameField(field);
    if (field === early.focused && document.activeElement === document.body) same?.focus();
    retype(same, { text, selectedIn: field });
  }
  // Only after React has rendered what was typed: a link takes it along.
  setTimeout(() => replayClicks(early));
}

function replayClicks(early: EarlyInput): void {
  for (const button of early.clicks) {
    if (isHydrating(button)) continue;
    early.clicks.delete(button);
    sameButton(button)?.click();
  }
  early.form?.requestSubmit(early.by);
  delete early.form;
  if (document.querySelector("[data-hydrating]")) return;
  early.stop();
  globalThis.early = undefined;
}

/** An element that was rendered anew is still below the mark of its old place. */
function isHydrating(element: HTMLElement): boolean {
  return element.isConnected && element.closest("[data-hydrating]") !== null;
}

/** The field, or the one in its place if it was rendered anew. */
function sameField(field: HTMLInputElement): HTMLInputElement | undefined {
  if (field.isConnected) return field;
  const label = field.getAttribute("aria-label");
  const fields = document.querySelectorAll<HTMLInputElement>(`[name="${CSS.escape(field.name)}"]`);
  return [...fields].find((one) => label !== null && one.getAttribute("aria-label") === label);
}

type Typed = { text: string; selectedIn: HTMLInputElement };

/** Hydration resets a field to its default without telling anyone. */
function retype(field: HTMLInputElement | undefined, { text, selectedIn }: Typed): void {
  if (!field || field.type === "file" || field.type === "checkbox") return;
  const { selectionStart, selectionEnd } = selectedIn;
  // React compares with the value it set last, and would ignore an event without a change.
  field.value = "";
  const native = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
  native?.set?.call(field, text);
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  if (field === document.activeElement && field.value === text && selectionStart != null)
    field.setSelectionRange(selectionStart, selectionEnd);
}

/** The button, or the one in its place if its card was rendered anew. */
function sameButton(button: HTMLElement): HTMLElement | undefined {
  if (button.isConnected) return button;
  const id = button.closest<HTMLElement>("[data-product]")?.dataset.product;
  const card = id && document.querySelector(`[data-product="${CSS.escape(id)}"]`);
  const buttons = card ? [...card.querySelectorAll<HTMLElement>("button, a[data-needs-app]")] : [];
  return buttons.find(({ textContent }) => textContent === button.textContent);
}
