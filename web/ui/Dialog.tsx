import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button } from "./Button.tsx";
import { moveToasterInto } from "./Toaster.tsx";

type DialogProps = { title: ReactNode; onClose: () => void; children: ReactNode };

/** A modal dialog, open as long as it is rendered; Escape, its cross and the backdrop close it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId();
  return (
    <dialog
      ref={openWhileRendered}
      aria-labelledby={id}
      className="m-auto w-[min(34rem,calc(100vw-2rem))] scroll-pb-24 rounded-box border border-line bg-base-100 p-0 text-base-content shadow-over backdrop:bg-[oklch(15%_0.02_180/0.5)] max-sm:mb-4"
      // A close that comes of the dialog's going, or of its opening anew in the meantime, is no wish.
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
              <X className="size-5" aria-hidden="true" />
            </button>
          </form>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** The button that sends a dialog's form, in sight however long the form is. */
export function DialogSubmit({ busy }: { busy: boolean }) {
  return (
    <div className="sticky bottom-0 flex flex-col bg-base-100 pt-2 pb-3">
      <Button type="submit" size="large" busy={busy}>
        Submit
      </Button>
    </div>
  );
}

/** Closing it again when it leaves gives the focus back to where it was, or as near as something is left. */
function openWhileRendered(dialog: HTMLDialogElement) {
  const places = placesAround(document.activeElement);
  dialog.showModal();
  dialog.querySelector<HTMLElement>(toFill)?.focus();
  const bringBack = moveToasterInto(dialog);
  return () => {
    bringBack();
    dialog.close();
    // By then what the answer took away with the dialog, such as the button of a row deleted, is gone.
    queueMicrotask(() => {
      if (document.activeElement === document.body)
        places.find((place) => place.isConnected)?.focus();
    });
  };
}

/** What a person is asked for; the dialog's cross, which comes before it, is not what they opened it for. */
const toFill = ":is(input, select, textarea):not([readonly])";

/** Where a person is: the element itself, its row of a table, the rows beside that, the page. */
function placesAround(element: Element | null): HTMLElement[] {
  const row = element?.closest("tr");
  const page = document.querySelector("main");
  return [element, row, row?.nextElementSibling, row?.previousElementSibling, page].filter(
    (place) => place instanceof HTMLElement,
  );
}
