import { arePasskeysSupported } from "../auth/passkey-support.ts";
import type { AppStart, EarlyInput } from "./early-input.ts";
import { loginReason } from "./login-reason.ts";

/**
 * An inline script that runs before the first paint. It fetches the app when the browser is idle,
 * starts the app when needed, and records input until then.
 */
declare global {
  /** Globals that React Router and zod read. */
  var __reactRouterContext: unknown;
  var __reactRouterRouteModules: Record<string, unknown>;
  var __zod_globalConfig: { jitless: boolean };
  var trustedTypes: { createPolicy(name: string, rules: object): unknown } | undefined;
}

// Keeps zod from trying `eval`, which the content security policy forbids.
self.__zod_globalConfig = { jitless: true };

// For Trusted Types (`server/http/content-security-policy.ts`): React creates script elements from
// this HTML string. The content security policy checks script URLs itself.
self.trustedTypes?.createPolicy("default", {
  createHTML: (html: string) => (html === "\x3cscript>\x3c/script>" ? html : null),
  createScriptURL: (url: string) => url,
});

const early: EarlyInput = { clicks: new Set(), typed: new Map(), isHydrated: false, stop, nameOf };
self.early = early;
let isStarted = false;
let retryMs = 1_000;
let isMember = false;
// Whether to start the app without an interaction: for parameters or drafts, or if disabled storage
// may hide a session.
let isNeeded = location.search !== "";

try {
  // With a stored token, the Login link stays hidden until the session is known.
  isMember = localStorage.accessToken !== undefined;
  isNeeded ||= sessionStorage.length > 0;
} catch {
  isNeeded = true;
}
if (isMember) document.documentElement.dataset.member = "1";

// The login page shows only the sentence for this reason (`web/pages/auth-card.tsx`).
const reason = loginReason(new URLSearchParams(location.search).get("from"));
if (reason) document.documentElement.dataset.reason = reason;

// Hides the passkey button before the first paint, because hiding it later would shift the layout.
if (!arePasskeysSupported()) document.documentElement.dataset.noPasskeys = "1";

const listeners = {
  submit: holdSubmit,
  click: holdClick,
  input: keepTyped,
  change: keepTyped,
  pointerdown: keepPressed,
  pointermove: startIfMoved,
  touchstart: start,
  keydown: start,
  focusin: keepFocused,
  focusout: dropFocused,
  scroll: start,
} as Record<string, (event: Event) => void>;
for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true);

addEventListener("keydown", focusSearch);

const { isEager } = readStart();
if (isEager || isMember) void start();
addEventListener("load", () => {
  // Safari has no requestIdleCallback.
  if ("requestIdleCallback" in self) requestIdleCallback(whenIdle, { timeout: 1_000 });
  else setTimeout(whenIdle, 200);
});

/** Ignores the `pointermove` that Chromium sends when a page appears under a resting pointer. */
function startIfMoved(event: Event): void {
  const { movementX, movementY } = event as PointerEvent;
  if (movementX !== 0 || movementY !== 0) void start();
}

function stop(): void {
  for (const [type, listener] of Object.entries(listeners))
    removeEventListener(type, listener, true);
}

function focusSearch(event: KeyboardEvent): void {
  const isShortcut = (event.metaKey || event.ctrlKey) && event.key === "k";
  const isSlash =
    event.key === "/" && !(event.target as Element).matches("input, textarea, select");
  if ((!isShortcut && !isSlash) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  const search = document.querySelector<HTMLInputElement>(".site-search input");
  // In WebKit, `select` doesn't focus.
  search?.focus();
  search?.select();
}

function holdSubmit(event: Event): void {
  // The search form works without the app.
  if (early.isHydrated || (event.target as HTMLElement).matches("[action='/search']")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  early.form = event.target as HTMLFormElement;
  early.by = (event as SubmitEvent).submitter;
  void start();
}

/** Holds a click that needs the app. Popovers and most links don't. `holdSubmit` holds forms. */
function holdClick(event: Event): void {
  const button = (event.target as Element).closest(
    "button[type=button]:not([popovertarget]), a[data-needs-app]",
  );
  const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
  if (
    !button ||
    ctrlKey ||
    metaKey ||
    shiftKey ||
    (early.isHydrated && !button.closest("[data-hydrating]"))
  )
    return;
  event.preventDefault();
  event.stopImmediatePropagation();
  early.clicks.add(button as HTMLElement);
  void start();
}

function keepTyped({ target }: Event): void {
  if (!(target instanceof HTMLElement) || !("value" in target)) return;
  if (early.isHydrated && !target.closest("[data-hydrating]")) return;
  early.typed.set(target as HTMLInputElement, String(target.value));
  void start();
}

/** Clicks a link or button that was rerendered while pressed: browsers then send no click. */
function keepPressed({ target }: Event): void {
  void start();
  const pressed = (target as Element).closest("a, button");
  if (!pressed?.closest("[data-hydrating]")) return;
  const ended = new AbortController();
  const endPress = ({ type, target: last }: Event) => {
    ended.abort();
    const same = (last as Element).closest<HTMLElement>(pressed.tagName);
    if (type === "pointerup" && !pressed.isConnected && same && nameOf(same) === nameOf(pressed))
      same.click();
  };
  for (const type of ["pointerup", "pointercancel"])
    addEventListener(type, endPress, { capture: true, signal: ended.signal });
}

function nameOf(element: Element): string {
  const product = element.closest<HTMLElement>("[data-product]")?.dataset.product;
  return [product, element.ariaLabel, element.textContent, element.getAttribute("href")].join();
}

function keepFocused({ target }: Event): void {
  void start();
  early.focused = target as HTMLElement;
}

/** Still treats a removed element as focused, because the visitor didn't move focus. */
function dropFocused({ target }: Event): void {
  queueMicrotask(() => {
    const element = target as HTMLElement;
    if (element.isConnected && early.focused === element) delete early.focused;
  });
}

function whenIdle(): void {
  // The service worker only shows an offline page (`web/public/sw.js`), so a failure is harmless.
  if (import.meta.env.PROD) navigator.serviceWorker?.register("/sw.js").catch(() => {});
  if (isNeeded) void start();
  else fetchModules();
  // After 10 s, starts the app even without an interaction, for Home's slideshow.
  setTimeout(start, 10_000);
}

function readStart(): AppStart {
  return JSON.parse(document.getElementById("app-start")?.textContent ?? "{}");
}

/** Starts the app. If this fails, the next interaction or `retryIfNeeded` tries again. */
async function start(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  document.documentElement.dataset.started = "1";
  const { manifest, routes, entry, context, state } = readStart();
  preloadModules();
  try {
    if (document.readyState === "loading")
      await new Promise((parsed) => addEventListener("DOMContentLoaded", parsed));
    // From now on, the app opens links without loading documents, so prefetching ends.
    document.querySelector("script[type=speculationrules]")?.remove();
    const modules = Object.entries(routes).map(async ([id, url]) => [id, await import(url)]);
    const [loaded] = await Promise.all([Promise.all(modules), import(manifest)]);
    self.__reactRouterRouteModules = Object.fromEntries(loaded);
    self.__reactRouterContext = { ...context, stream: new Response(state).body };
    await import(entry);
  } catch {
    isStarted = false;
    retryIfNeeded();
  }
}

/** Fetches without `modulepreload`, which would also compile the modules on the main thread. */
function fetchModules(): void {
  if (isStarted) return;
  for (const href of readStart().preload) fetch(href, { priority: "low" }).catch(() => {});
}

function preloadModules(): void {
  for (const href of readStart().preload)
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "modulepreload", href }),
    );
}

/** Retries without another interaction if the visitor is waiting for the app. */
function retryIfNeeded(): void {
  const { form, clicks, typed } = early;
  const isAwaited = isEager || isMember || isNeeded || form || clicks.size > 0 || typed.size > 0;
  if (!isAwaited) return;
  setTimeout(start, retryMs);
  retryMs = Math.min(2 * retryMs, 60_000);
}
