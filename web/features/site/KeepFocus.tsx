import { useEffect } from "react";

/**
 * When the focused element goes away, focuses the row or section around it, or else the content.
 * Otherwise keyboard and screen reader users would start at the top again.
 */
export default function KeepFocus() {
  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    let last: EventTarget | null = document.activeElement;
    let around = placesAround(last);
    const note = ({ type, target }: Event) => {
      last = type === "focusin" ? target : null;
      around = placesAround(last);
    };
    document.addEventListener("focusin", note, { signal });
    document.addEventListener("pointerdown", note, { signal });
    const check = () => {
      if (document.activeElement !== document.body || !(last instanceof HTMLElement)) return;
      if (last.isConnected && last.checkVisibility()) return;
      const place = around.find((one) => one.isConnected && one.checkVisibility());
      (place ?? document.querySelector("main"))?.focus({ preventScroll: true });
    };
    // Checks after the next frame: only then does a hidden element lose focus, and a closing dialog
    // has restored focus by then.
    const changes = new MutationObserver(() => requestAnimationFrame(() => setTimeout(check)));
    const attributeFilter = ["class", "hidden", "disabled"];
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter });
    return () => {
      leave.abort();
      changes.disconnect();
    };
  }, []);
  return null;
}

/** The focusable ancestors of an element, innermost first, read before the element goes away. */
function placesAround(target: EventTarget | null): HTMLElement[] {
  const found: HTMLElement[] = [];
  let one = target instanceof HTMLElement ? target.parentElement : null;
  for (; one; one = one.parentElement)
    if (one.tabIndex === -1 && one.hasAttribute("tabindex")) found.push(one);
  return found;
}
