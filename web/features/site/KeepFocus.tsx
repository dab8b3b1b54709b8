import { useEffect } from "react";

/**
 * Moves the focus to the page's content when the element that has it goes away, a button for example whose action is
 * done, so that keyboards and screen readers don't start at the top again. A click elsewhere is left alone.
 */
export default function KeepFocus() {
  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    let last: EventTarget | null = document.activeElement;
    const note = ({ type, target }: Event) => {
      last = type === "focusin" ? target : null;
    };
    document.addEventListener("focusin", note, { signal });
    document.addEventListener("pointerdown", note, { signal });
    const check = () => {
      if (document.activeElement !== document.body || !(last instanceof HTMLElement)) return;
      if (last.isConnected && last.checkVisibility()) return;
      document.querySelector("main")?.focus({ preventScroll: true });
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
