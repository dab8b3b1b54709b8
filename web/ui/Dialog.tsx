import { type ReactNode, useId } from "react";
import { Icon } from "./Icon.tsx";
import { moveToasterInto } from "./Toaster.tsx";

type DialogProps = { title: ReactNode; onClose: () => void; children: ReactNode };

/** Escape, the close button or a click on the backdrop closes the dialog. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId();
  return (
    <dialog
      ref={openWhileRendered}
      aria-labelledby={id}
      className="m-auto w-[min(34rem,calc(100vw-2rem))] scroll-pb-24 rounded-box border border-line bg-base-100 p-0 text-base-content shadow-over backdrop:bg-[oklch(15%_0.02_180/0.5)] max-sm:mb-4"
      // Ignores the close event caused by unmounting or reopening.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      closedby="any"
    >
      <div className="flex flex-col gap-3 p-5 sm:gap-6 sm:p-8">
        <header className="flex items-start justify-between gap-4">
          <h2 id={id} className="user-text min-w-0 text-heading">
            {title}
          </h2>
          <form method="dialog">
            <button
              type="submit"
              aria-label="Close"
              className="btn btn-ghost btn-circle btn-sm -mt-1 -mr-2"
            >
              <Icon name="x" className="size-5" />
            </button>
          </form>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Opens the dialog. On unmount, returns focus to where it was, or to the nearest element left. */
export function openWhileRendered(dialog: HTMLDialogElement) {
  const candidates = focusCandidates(document.activeElement);
  dialog.showModal();
  dialog.querySelector<HTMLElement>(firstField)?.focus();
  const restoreToaster = moveToasterInto(dialog);
  return () => {
    restoreToaster();
    dialog.close();
    restoreFocus(candidates);
  };
}

/** The dialog's action may remove the focused row, now or when the list renders again. */
function restoreFocus(candidates: HTMLElement[]): void {
  const restore = () => {
    if (document.activeElement === document.body)
      candidates.find((candidate) => candidate.isConnected)?.focus();
  };
  queueMicrotask(restore);
  const removals = new MutationObserver(restore);
  const stop = () => removals.disconnect();
  removals.observe(document.body, { childList: true, subtree: true });
  addEventListener("pointerdown", stop, { once: true });
  setTimeout(stop, 1_000);
}

/** The first field, which gets focus instead of the close button that precedes it. */
const firstField = ":is(input, select, textarea):not([readonly])";

function focusCandidates(element: Element | null): HTMLElement[] {
  const row = element?.closest("tr");
  const page = document.querySelector("main");
  return [element, row, row?.nextElementSibling, row?.previousElementSibling, page].filter(
    (candidate) => candidate instanceof HTMLElement,
  );
}
