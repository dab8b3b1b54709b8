import { Toaster } from "sonner";
import "sonner/dist/styles.css";
import "./toaster.css";

export { toast } from "sonner";

export function ToastRegion() {
  return <Toaster position="top-right" closeButton offset={below} mobileOffset={belowTwoRows} />;
}

/** Below the navigation bar, away from buttons and fields. */
const below = { top: "5.5rem", right: "1.25rem" };
const belowTwoRows = { top: "7.5rem", left: "1rem", right: "1rem" };
