import { createPortal } from "react-dom";
import { Toaster as Sonner } from "sonner";
import "sonner/dist/styles.css";
import "./toaster.css";
import { useHydrated } from "./use-hydrated.ts";

/** Shows toasts and announces them. */
export function Toaster() {
  const isHydrated = useHydrated();
  return (
    isHydrated &&
    createPortal(
      <Sonner position="top-right" closeButton offset={below} mobileOffset={belowTwoRows} />,
      portalElement(),
    )
  );
}

/** Moves toasts into a modal dialog, because everything outside it is inert; returns the undo function. */
export function moveToasterInto(dialog: HTMLDialogElement): () => void {
  dialog.append(portalElement());
  return () => document.body.append(portalElement());
}

/** Below the navigation bar, away from buttons and fields. */
const below = { top: "5.5rem", right: "1.25rem" };
const belowTwoRows = { top: "7.5rem", left: "1rem", right: "1rem" };

let place: HTMLElement | undefined;

/** The portal element of all toasts. */
function portalElement(): HTMLElement {
  place ??= document.body.appendChild(document.createElement("div"));
  return place;
}
