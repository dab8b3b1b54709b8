import { useEffect } from "react";

/**
 * Moves the focus to what is around it when the element that has it goes away, a button for example whose action is
 * done, so that keyboards and screen readers don't start at the top again: to its table row or part of the page, or else
 * to the page's content. A click elsewhere is left alone.
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
    // Afterwards, because a dialog that closes knows better where the focus was, and what is hidden loses it with the
    // next frame.
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

/** What can take the focus around an element, from the inside out; noted before the element goes away. */
function placesAround(target: EventTarget | null): HTMLElement[] {
  const found: HTMLElement[] = [];
  let one = target instanceof HTMLElement ? target.parentElement : null;
  for (; one; one = one.parentElement)
    if (one.tabIndex === -1 && one.hasAttribute("tabindex")) found.push(one);
  return found;
}
