import { Toaster as Sonner } from "sonner";
import "sonner/dist/styles.css";
import "./toaster.css";

/** Where short messages appear, and are read out. */
export function Toaster() {
  return <Sonner position="top-center" closeButton offset={20} />;
}
