import { createPortal } from "react-dom";
import { usePlainToasts, useToastLibrary } from "./toast.ts";
import { useHydrated } from "./use-hydrated.ts";

export function Toaster() {
  return useHydrated() && createPortal(<Toasts />, portalElement());
}

/** Before the first toast, and if the library can't be fetched, works without the library. */
function Toasts() {
  const library = useToastLibrary();
  const texts = usePlainToasts();
  if (library) return <library.ToastRegion />;
  return (
    <section aria-label="Notifications" aria-live="polite">
      {texts.length > 0 && (
        <ul className="plain-toasts">
          {texts.map((text) => (
            <li key={text} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/**
 * Moves the toasts into a modal dialog, because everything outside the dialog is inert. Returns a
 * function that moves the toasts back.
 */
export function moveToasterInto(dialog: HTMLDialogElement): () => void {
  dialog.append(portalElement());
  return () => document.body.append(portalElement());
}

let place: HTMLElement | undefined;

function portalElement(): HTMLElement {
  place ??= document.body.appendChild(document.createElement("div"));
  return place;
}
