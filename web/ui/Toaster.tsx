import { createPortal } from "react-dom";
import { Toaster as Sonner } from "sonner";
import "sonner/dist/styles.css";
import "./toaster.css";
import { useHydrated } from "./use-hydrated.ts";

/** Where short messages appear, and are read out. */
export function Toaster() {
  const isHydrated = useHydrated();
  return (
    isHydrated &&
    createPortal(
      <Sonner position="top-right" closeButton offset={below} mobileOffset={belowTwoRows} />,
      at(),
    )
  );
}

/**
 * Takes the messages into a modal dialog, and out of it again by what this answers: while one is open, all
 * else lies below it and is read to nobody.
 */
export function moveToasterInto(dialog: HTMLDialogElement): () => void {
  dialog.append(at());
  return () => document.body.append(at());
}

/** Below the navigation bar, and away from where buttons are pressed and fields filled. */
const below = { top: "5.5rem", right: "1.25rem" };
const belowTwoRows = { top: "7.5rem", left: "1rem", right: "1rem" };

let place: HTMLElement | undefined;

/** The one element the messages are in. */
function at(): HTMLElement {
  place ??= document.body.appendChild(document.createElement("div"));
  return place;
}
