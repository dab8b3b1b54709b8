import { createPortal } from "react-dom";
import { Toaster as Sonner } from "sonner";
import "sonner/dist/styles.css";
import "./toaster.css";
import { useHydrated } from "./use-hydrated.ts";

/** Where short messages appear, and are read out. */
export function Toaster() {
  const isHydrated = useHydrated();
  return (
    isHydrated && createPortal(<Sonner position="bottom-center" closeButton offset={20} />, at())
  );
}

/**
 * Takes the messages into a modal dialog, and out of it again by what this answers: while one is open, all
 * else lies below it and is read to nobody.
 */
export function bringMessagesInto(dialog: HTMLDialogElement): () => void {
  dialog.append(at());
  return () => document.body.append(at());
}

let place: HTMLElement | undefined;

/** The one element the messages are in. */
function at(): HTMLElement {
  place ??= document.body.appendChild(document.createElement("div"));
  return place;
}
